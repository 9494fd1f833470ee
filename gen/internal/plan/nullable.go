package plan

import (
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// nullable lets a caller send null for a field of JSON that is required and may be null: there nil says something, and is not forgotten.
// One that is optional and nil is left out; in answers null is as good as nothing everywhere.
func (p *planner) nullable(f *Field, s *spec.Schema) {
	target := p.doc.Resolve(s)
	if !f.Required || f.Value.Kind == Pipes || !s.Nullable && (target == nil || !target.Nullable) {
		return
	}
	f.Nullable = true
	f.remark("nil sends null")
}

// remark adds to what the spec says about a field.
func (f *Field) remark(text string) {
	f.Doc = strings.TrimPrefix(strings.TrimSuffix(strings.TrimSpace(f.Doc), ".")+"; "+text, "; ")
}
