package plan_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// TestManyClashes: thousands of names of one Go name are told apart in no time, and without a gap.
func TestManyClashes(t *testing.T) {
	const many = 2500
	var properties, schemas strings.Builder
	for i := range many {
		name := "street" + strings.NewReplacer("0", "-", "1", "_").Replace(fmt.Sprintf("%b", i))
		fmt.Fprintf(&properties, "        %q: {type: string}\n", name)
		fmt.Fprintf(&schemas, "    %q: {type: object, properties: {a: {type: string}}}\n", name)
	}
	const street = "        street: {type: string}\n"
	doc, faults := spec.Parse("acme.yaml", []byte(strings.Replace(sound, street, properties.String()+schemas.String(), 1)))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	doc.Foreign = true
	begun := time.Now()
	p, faults := plan.New(doc, "acme", plan.Taken{})
	if took := time.Since(begun); len(faults) > 0 || took > 5*time.Second {
		t.Fatalf("it took %v, and got %v", took, faults)
	}
	last := fmt.Sprintf("Street%d", many)
	found := 0
	for _, typ := range p.Types {
		if typ.Name == last {
			found++
		}
		if typ.Name == "Address" && typ.Fields[many-1].Name == last {
			found++
		}
	}
	if found != 2 {
		t.Errorf("%d of 2 are called %s", found, last)
	}
}
