package source_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/source"
)

// thousand is a spec of 1,000 operations: half GET with seven parameters, half POST with seven fields, each with a schema of its own.
func thousand() string {
	var paths, schemas strings.Builder
	for i := range 500 {
		fmt.Fprintf(&paths, "  /things%d:\n    get:\n      operationId: listThings%d\n      summary: lists\n      parameters:\n", i, i)
		for j := range 7 {
			fmt.Fprintf(&paths, "        - {name: p%d, in: query, description: a parameter, schema: {type: integer}}\n", j)
		}
		const answer = "      responses: {\"200\": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/T%d'}}}}}\n"
		fmt.Fprintf(&paths, answer, i)
		fmt.Fprintf(&paths, "    post:\n      operationId: makeThing%d\n      summary: makes\n      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/T%d'}}}}\n", i, i)
		fmt.Fprintf(&paths, answer, i)
		fmt.Fprintf(&schemas, "    T%d:\n      type: object\n      properties:\n", i)
		for j := range 6 {
			fmt.Fprintf(&schemas, "        f%d: {type: string, nullable: true, description: a field}\n", j)
		}
		fmt.Fprintf(&schemas, "        next: {$ref: '#/components/schemas/T%d'}\n", (i+1)%500)
	}
	return head + "paths:\n" + paths.String() + "components:\n  schemas:\n" + schemas.String()
}

// BenchmarkLoad reads 1,000 operations of a foreign spec.
func BenchmarkLoad(b *testing.B) {
	text := thousand()
	spec := filepath.Join(folder(b, map[string]string{"acme.yaml": text}), "acme.yaml")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		doc, _, faults, err := source.Load(source.Options{Spec: spec, Draft: true})
		if err != nil || len(faults) > 0 || len(doc.Operations) != 1000 {
			b.Fatal(faults, err)
		}
	}
}
