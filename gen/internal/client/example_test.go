package client_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestExampleOfWhatUnfolds: a small spec may stand for billions of fields, and only the first of them are written.
func TestExampleOfWhatUnfolds(t *testing.T) {
	const levels, fields = 9, 12
	schema := "{type: string}"
	var components strings.Builder
	for level := range levels {
		fmt.Fprintf(&components, "    S%d: {type: object, properties: {", level)
		for i := range fields {
			value := schema
			if level < levels-1 {
				value = fmt.Sprintf("{$ref: '#/components/schemas/S%d'}", level+1)
			}
			fmt.Fprintf(&components, "p%d: %s, ", i, value)
		}
		components.WriteString("q: {type: string}}}\n")
	}
	begun := time.Now()
	body := made(t, "", "{$ref: '#/components/schemas/S0'}", components.String())
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if len(body) > 4<<10 || !strings.Contains(body, `"q":"text"`) {
		t.Errorf("got %d bytes: %.200s", len(body), body)
	}
}
