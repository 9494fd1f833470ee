package render

import (
	"embed"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
)

//go:embed templates/oapi/*.tmpl
var oapiTemplates embed.FS

// models writes the Go types. oapi-codegen makes fields and types of them, our templates the text.
func (w *writer) models() (string, error) {
	types := map[string]*plan.Type{}
	for i, t := range w.plan.Types {
		types[neutral(i)] = t
	}
	// oapi-codegen keeps its functions for templates in a map of its package: a process renders one plan at a time.
	codegen.TemplateFunctions["planned"] = func(name string) (*plan.Type, error) {
		if t, ok := types[name]; ok {
			return t, nil
		}
		return nil, fmt.Errorf("oapi-codegen names a type %s, which is not in the plan", name)
	}
	codegen.TemplateFunctions["typeComment"] = w.typeComment
	codegen.TemplateFunctions["fieldLine"] = fieldLine
	config, err := configuration(w.plan.Package)
	if err != nil {
		return "", err
	}
	code, err := codegen.Generate(document(w.plan), config)
	if err != nil {
		return "", fmt.Errorf("oapi-codegen: %w", err)
	}
	encoders, err := w.encoders()
	if err != nil {
		return "", err
	}
	return code + encoders, nil
}

func configuration(pkg string) (codegen.Configuration, error) {
	config := codegen.Configuration{
		PackageName:         pkg,
		Generate:            codegen.GenerateOptions{Models: true},
		AllowRemoteRefsFrom: []string{},
	}
	config.Compatibility.AlwaysPrefixEnumValues = true
	out := &config.OutputOptions
	out.SkipPrune, out.SkipFmt, out.SkipEnumValidate = true, true, true
	out.TypeMapping = typeMapping()
	out.UserTemplates = map[string]string{}
	for _, name := range []string{"imports.tmpl", "constants.tmpl", "typedef.tmpl"} {
		text, err := oapiTemplates.ReadFile("templates/oapi/" + name)
		if err != nil {
			return config, fmt.Errorf("template %s: %w", name, err)
		}
		out.UserTemplates[name] = string(text)
	}
	return config, nil
}

// typeMapping tells oapi-codegen what plan.GoTypes says.
func typeMapping() *codegen.TypeMapping {
	m := &codegen.TypeMapping{}
	of := map[string]*codegen.FormatMapping{"integer": &m.Integer, "number": &m.Number, "boolean": &m.Boolean, "string": &m.String}
	for _, g := range plan.GoTypes {
		f := of[g.Type]
		if f.Default.Type == "" {
			f.Default.Type = g.Go
		}
		if f.Formats == nil {
			f.Formats = map[string]codegen.SimpleTypeSpec{}
		}
		f.Formats[g.Format] = codegen.SimpleTypeSpec{Type: g.Go}
	}
	// Formats that only document a text must not become types of oapi-codegen's own packages.
	for _, format := range []string{"byte", "email", "date", "duration", "json", "uuid"} {
		m.String.Formats[format] = m.String.Default
	}
	return m
}

// neutral is what oapi-codegen calls the type, field or value number i. It would make another of a name with a low line or with letters
// that are not of ASCII, so that all real names come from the plan.
func neutral(i int) string { return fmt.Sprintf("N%d", i) }

// document is the plan's types as OpenAPI: only components.
func document(p *plan.Plan) *openapi3.T {
	schemas, called := openapi3.Schemas{}, map[string]string{}
	for i, t := range p.Types {
		called[t.Name] = neutral(i)
		// The number is a float64, as a YAML reader would have made it: oapi-codegen looks for no other.
		schemas[neutral(i)] = &openapi3.SchemaRef{Value: &openapi3.Schema{Extensions: map[string]any{"x-order": float64(i)}}}
	}
	d := drawing{schemas, called}
	for i, t := range p.Types {
		d.fill(schemas[neutral(i)].Value, t)
	}
	return &openapi3.T{
		OpenAPI: "3.0.3", Info: &openapi3.Info{Title: p.Doc.Title, Version: "1"}, Paths: openapi3.NewPaths(),
		Components: &openapi3.Components{Schemas: schemas},
	}
}

// A drawing is the types as they are being described.
type drawing struct {
	schemas openapi3.Schemas
	called  map[string]string // their neutral names
}

func (d drawing) fill(s *openapi3.Schema, t *plan.Type) {
	if t.Base != nil {
		s.Type, s.Format = &openapi3.Types{t.Base.Type}, t.Base.Format
		names := make([]any, len(t.Enum))
		for i, v := range t.Enum {
			value := v.Value
			if t.Base.Type == "string" {
				value = v.Const // the template takes the plan's, which may hold what oapi-codegen refuses
			}
			s.Enum = append(s.Enum, value)
			names[i] = neutral(i)
		}
		s.Extensions["x-enum-varnames"] = names
		return
	}
	s.Type = &openapi3.Types{"object"}
	s.Properties = openapi3.Schemas{}
	for i, f := range t.Fields {
		ref := d.schemaOf(f.Value, t.Input)
		ref.Extensions["x-order"] = float64(i)
		ref.Extensions["x-go-type-skip-optional-pointer"] = !t.Input || !f.Pointer()
		if f.Value.Kind == plan.Object && !t.Input {
			ref.Extensions["x-go-type"] = f.Value.Go(false)
		}
		s.Properties[neutral(i)] = ref
	}
}

// schemaOf describes a value. What OpenAPI has no word for is given as the Go type.
func (d drawing) schemaOf(v *plan.Value, input bool) *openapi3.SchemaRef {
	extensions := map[string]any{}
	s := &openapi3.Schema{Extensions: extensions}
	ref := &openapi3.SchemaRef{Value: s, Extensions: extensions}
	switch v.Kind {
	case plan.Object, plan.Enum:
		name := d.called[v.Name]
		ref.Ref, ref.Value = "#/components/schemas/"+name, d.schemas[name].Value
		extensions["x-go-type"] = v.Name
	case plan.List:
		s.Type, s.Items = &openapi3.Types{"array"}, d.schemaOf(v.Elem, input)
		if v.Loose {
			extensions["x-go-type"] = v.Go(input)
		}
	case plan.Map:
		s.Type = &openapi3.Types{"object"}
		s.AdditionalProperties.Schema = d.schemaOf(v.Elem, input)
	case plan.Raw:
		extensions["x-go-type"] = v.Go(input)
	case plan.Scalar, plan.Text, plan.Secret, plan.Time, plan.File, plan.Pipes:
		s.Type, s.Format = &openapi3.Types{v.Type}, v.Format
	}
	return ref
}

// fieldLine writes a field with its tag and comment.
func fieldLine(t *plan.Type, p codegen.Property) (string, error) {
	for i, f := range t.Fields {
		if neutral(i) != p.JsonFieldName {
			continue
		}
		line := f.Name + " " + p.GoTypeDef() + tag(t, f)
		above, behind := fieldComment(f, line)
		return above + "\t" + line + behind, nil
	}
	return "", fmt.Errorf("oapi-codegen names a field %s.%s, which is not in the plan", t.Name, p.JsonFieldName)
}

// tag returns a field's JSON tag; the fields of a form have none.
func tag(t *plan.Type, f *plan.Field) string {
	switch {
	case !t.JSON:
		return ""
	case f.In != "" && f.In != plan.InJSON:
		return " `json:\"-\"`"
	case t.Input && !t.IsRequest() && f.Demanded():
		return strings.TrimSuffix(jsonTag(f.Wire, omit(t, f)), "`") + " wire:\"required\"`"
	default:
		return jsonTag(f.Wire, omit(t, f))
	}
}

// jsonTag is the tag of a field that JSON calls name. One of - alone would mean that the field is none.
func jsonTag(name, omit string) string {
	if name == "-" && omit == "" {
		omit = ","
	}
	return " `json:\"" + name + omit + "\"`"
}

// omit says when JSON leaves a field out: what is optional where it is sent, and what is not there at all in an answer.
func omit(t *plan.Type, f *plan.Field) string {
	switch kind := f.Value.Kind; {
	case t.Input && f.Nullable:
		return ""
	case t.Input && (kind == plan.List || kind == plan.Map && !f.Required):
		return ",omitzero" // an empty one is sent: it says that nothing is left
	case !t.Input && kind != plan.Object, t.Input && f.Required && kind != plan.Pipes:
		return ""
	case kind == plan.Time, !t.Input:
		return ",omitzero"
	default:
		return ",omitempty"
	}
}
