package skeleton

import (
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// kind is a schema's type, that of its first part where it only says allOf.
func kind(doc *spec.Document, s *spec.Schema) string {
	const enough = 8
	for range enough {
		s = doc.Resolve(s)
		switch {
		case s == nil:
			return ""
		case s.Type != "":
			return s.Type
		case len(s.Properties) > 0:
			return "object"
		case len(s.AllOf) == 0:
			return ""
		}
		s = s.AllOf[0]
	}
	return ""
}

func isSingle(kind string) bool { return kind == "string" || kind == "integer" || kind == "number" }

// A place is a field of an answer, and the dotted path to it.
type place struct {
	path   string
	name   string // the last word of the path, in small letters without separators
	kind   string
	schema *spec.Schema
}

// places lists the fields of an object, and those of the objects in it, whose names an envelope or a pagination can give.
func places(doc *spec.Document, s *spec.Schema) []place {
	return inside(doc, s, "", 0)
}

func inside(doc *spec.Document, s *spec.Schema, before string, depth int) []place {
	const deepest = 2
	var out, below []place
	props, _ := doc.Properties(s)
	for _, p := range props {
		if strings.ContainsAny(p.Name, ". ") {
			continue // no dotted path leads there
		}
		f := place{path: before + p.Name, name: plain(p.Name), kind: kind(doc, p.Schema), schema: p.Schema}
		out = append(out, f)
		if f.kind == "object" && depth < deepest {
			below = append(below, inside(doc, p.Schema, f.path+".", depth+1)...)
		}
	}
	return append(out, below...)
}

// plain writes a name in small letters without separators, so that pageSize, page_size and page-size are one.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(name))
}
