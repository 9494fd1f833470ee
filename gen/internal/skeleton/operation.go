package skeleton

import (
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// An operation is one call of the spec with what is looked at to guess what it does.
type operation struct {
	*spec.Operation
	id    string // the spec's own; empty where it gives none, or one that another call has too
	tag   string
	lists bool // its answer is a list, or holds one
}

// operations lists all calls in the order of the spec.
func operations(doc *spec.Document) []*operation {
	ids := map[string]int{}
	for _, op := range doc.Operations {
		ids[op.ID.Value]++
	}
	out := make([]*operation, len(doc.Operations))
	for i, op := range doc.Operations {
		o := &operation{Operation: op}
		if id := op.ID.Value; id != op.HTTPMethod+" "+op.Path && ids[id] == 1 {
			o.id = id
		}
		if len(op.Tags) > 0 {
			o.tag = op.Tags[0]
		}
		if op.Answer != nil && op.Answer.Schema != nil {
			o.lists = kind(doc, op.Answer.Schema) == "array" || onlyList(places(doc, op.Answer.Schema)) != ""
		}
		out[i] = o
	}
	return out
}

// name is how an overlay calls the operation.
func (o *operation) name() string {
	if o.id != "" {
		return o.id
	}
	return o.HTTPMethod + " " + o.Path
}

// segments are the parts of the path that stand there as they are.
func (o *operation) segments() []string {
	var out []string
	for s := range strings.SplitSeq(o.Path, "/") {
		if s != "" && !strings.Contains(s, "{") {
			out = append(out, s)
		}
	}
	return out
}
