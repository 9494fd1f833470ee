package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// Names that a generated package holds whatever its spec says, or that its hand-written part is expected to hold.
var reserved = map[string]string{
	"Operations": "the list of operations",
	"Client":     "the hand-written client",
	"New":        "the hand-written constructor",
	"Option":     "the hand-written options",
}

// A planner makes one plan and collects faults.
type planner struct {
	doc      *spec.Document
	plan     *Plan
	taken    Taken
	faults   []spec.Fault
	names    map[string]string     // Go name -> what has it
	sent     map[string]bool       // schemas that requests hold
	inside   map[*spec.Schema]bool // those of them that have no name
	bodies   map[string]bool       // schemas that are the body of a request
	used     map[string]bool       // schemas that another type or an answer names
	schemas  map[string]string     // schema -> Go name
	hoisted  map[*spec.Schema]*Type
	called   map[*spec.Schema]string // objects inside named schemas -> what they are called after where they stand
	open     map[*spec.Schema]bool   // being written out
	declared map[string]*Type
	nameless []*Method      // operations without a place of their own in the Go API
	clashes  map[string]int // the last number by which one was told apart
}

// New plans the package called pkg. The plan is of use only if there are no faults.
func New(doc *spec.Document, pkg string, taken Taken) (*Plan, []spec.Fault) {
	p := &planner{
		doc: doc, plan: &Plan{Package: pkg, Doc: doc}, taken: taken, names: map[string]string{}, sent: map[string]bool{}, inside: map[*spec.Schema]bool{},
		bodies: map[string]bool{}, used: map[string]bool{}, schemas: map[string]string{}, hoisted: map[*spec.Schema]*Type{}, called: map[*spec.Schema]string{}, open: map[*spec.Schema]bool{},
		declared: map[string]*Type{}, clashes: map[string]int{},
	}
	maps.Copy(p.names, reserved)
	maps.Copy(p.names, taken.Options)
	p.survey()
	p.nameSchemas()
	p.nameInside()
	p.nameCodes()
	p.services()
	p.methods()
	p.namedTypes()
	p.answers()
	p.pages()
	p.partials()
	p.recipients()
	p.insides()
	p.handWritten()
	return p.plan, spec.Sort(p.faults)
}

func (p *planner) fault(line int, cure, format string, args ...any) {
	p.faults = append(p.faults, p.doc.Fault(line, cure, format, args...))
}

// declare gives a Go name of the package to one thing.
func (p *planner) declare(name string, line int, what, cure string) {
	if by, ok := p.names[name]; ok {
		p.fault(line, cure, "Go name %s of %s is that of %s", name, what, by)
		return
	}
	p.names[name] = fmt.Sprintf("%s (line %s)", what, p.doc.Where(line))
}

// survey finds which schemas are sent, and which are bodies.
func (p *planner) survey() {
	for _, op := range p.doc.Operations {
		for _, param := range op.Params {
			p.markSent(param.Schema)
		}
		if op.Body == nil {
			continue
		}
		if op.Body.Schema.Ref != "" {
			p.bodies[op.Body.Schema.Ref] = true
		}
		if s := p.doc.Resolve(op.Body.Schema); s != nil {
			p.markInside(s)
		}
	}
}

func (p *planner) markSent(s *spec.Schema) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		if !p.sent[s.Ref] {
			p.sent[s.Ref] = true
			p.markSent(p.doc.Named(s.Ref))
		}
		return
	}
	p.markInside(s)
}

func (p *planner) markInside(s *spec.Schema) {
	p.inside[s] = true
	for _, prop := range s.Properties {
		p.markSent(prop.Schema)
	}
	for _, part := range s.AllOf {
		p.markSent(part)
	}
	p.markSent(s.Items)
	p.markSent(s.Values)
}

// nameSchemas gives a Go name to each schema that becomes a type of its own; the others are written out where they are used.
func (p *planner) nameSchemas() {
	typed := slices.DeleteFunc(slices.Clone(p.doc.Schemas), func(s *spec.Schema) bool { return s.Ref != "" || !p.isStruct(s) && !p.isEnum(s) })
	counts := map[string]int{}
	for _, s := range typed {
		counts[p.schemaName(s)]++
	}
	for _, s := range typed {
		name := p.settledSchema(s, counts)
		if !naming.IsExported(name) {
			p.fault(s.Line, "add x-go-name", "schema %q gives no Go name", s.Name)
			continue
		}
		p.schemas[s.Name] = name
		p.declare(name, s.Line, "schema "+s.Name, "add x-go-name to one of them")
	}
}

// isStruct reports whether s is an object with fields of its own, and not only another name for a schema. What it requires of the one
// part of an allOf makes another object of it.
func (p *planner) isStruct(s *spec.Schema) bool {
	return len(s.Properties) > 0 || len(s.AllOf) > 1 || len(s.AllOf) == 1 && len(s.Required) > 0
}

func (p *planner) nameCodes() {
	for _, row := range p.doc.Errors {
		if row.Name.Value == "" {
			continue
		}
		if !naming.IsExported("Code" + row.Name.Value) {
			p.fault(row.Name.Line, "write letters and digits, such as UserRateLimit", "name %q of code %s is no Go name", row.Name.Value, row.Code)
			continue
		}
		p.declare("Code"+row.Name.Value, row.Name.Line, "code "+row.Code, "choose another name")
	}
	variables := map[string]int{}
	for _, w := range p.doc.Windows {
		name, ok := naming.Exported(w.Name)
		if first, twice := variables[name]; twice || !ok {
			p.fault(w.Line, "choose another name", "window %q gives no Go name of its own (see line %s)", w.Name, p.doc.Where(first))
		}
		variables[name] = w.Line
	}
}

// services groups the operations, and names what they are called with.
func (p *planner) services() {
	for _, op := range p.doc.Operations {
		service, method := p.goWord(op.Service, "x-sdk.service"), p.goWord(op.Method, "x-sdk.method")
		if !service || !method {
			p.addNameless(op)
			continue
		}
		s := p.service(op)
		m := &Method{Op: op, Service: s, Name: op.Method.Value, Var: p.settled("Op" + s.Name + op.Method.Value)}
		if i := slices.IndexFunc(s.Methods, func(o *Method) bool { return o.Name == m.Name }); i >= 0 {
			p.fault(op.Method.Line, "choose another x-sdk.method", "method %s.%s is that of operation %q (line %s)",
				s.Name, m.Name, s.Methods[i].Op.ID.Value, p.doc.Where(s.Methods[i].Op.Line))
			p.addNameless(op)
			continue
		}
		p.declare(m.Var, op.Method.Line, "operation "+op.ID.Value, "choose another x-sdk.service or x-sdk.method")
		s.Methods = append(s.Methods, m)
	}
}

// addNameless keeps an operation whose names are a fault, so that its other faults show too. Its made-up name begins with a small letter,
// so that it clashes with none.
func (p *planner) addNameless(op *spec.Operation) {
	s := &Service{Name: "nameless" + strconv.Itoa(len(p.nameless)+1)}
	p.nameless = append(p.nameless, &Method{Op: op, Service: s})
}

// calls are all methods.
func (p *planner) calls() []*Method {
	var out []*Method
	for _, s := range p.plan.Services {
		out = append(out, s.Methods...)
	}
	return append(out, p.nameless...)
}

// goWord reports whether a name that the spec gives for Go is one. An empty one is a fault of the spec already.
func (p *planner) goWord(t spec.Text, what string) bool {
	if t.Value == "" {
		return false
	}
	if !naming.IsExported(t.Value) {
		p.fault(t.Line, "begin with a capital letter, then letters and digits", "%s %q is no exported Go name", what, t.Value)
		return false
	}
	return true
}

func (p *planner) service(op *spec.Operation) *Service {
	name := op.Service.Value
	for _, s := range p.plan.Services {
		if s.Name == name {
			return s
		}
	}
	s := &Service{Name: name, Type: p.settled(name + "Service"), About: p.doc.Tags[name]}
	p.declare(s.Type, op.Service.Line, "service "+name, "choose another x-sdk.service")
	p.plan.Services = append(p.plan.Services, s)
	return s
}

func (p *planner) methods() {
	for _, m := range p.calls() {
		m.Request, m.Fixed = p.request(m)
		m.Answer = p.answer(m)
	}
}

// answer plans what a method returns. An object that stands in the operation itself gets the method's name.
func (p *planner) answer(m *Method) Answer {
	a := m.Op.Answer
	if a == nil {
		return Answer{}
	}
	if a.Schema == nil {
		return Answer{Download: a.Binary}
	}
	before := len(p.plan.Types)
	name := m.Service.Name + m.Name + "Result"
	link := "the answer of [" + m.Service.Type + "." + m.Name + "]"
	v := p.value(a.Schema, place{name: name, is: link, in: link, what: "the answer of " + m.Op.ID.Value})
	for _, t := range p.plan.Types[before:] {
		if t.Name == name {
			t.For = m
		}
	}
	return Answer{Download: a.Binary, Value: v}
}

// namedTypes plans the schemas of components. One that is only the body of a request has become its request type.
func (p *planner) namedTypes() {
	for _, s := range p.doc.Schemas {
		if !p.bodies[s.Name] {
			p.namedType(s)
		}
	}
	for _, s := range p.doc.Schemas {
		if p.bodies[s.Name] && p.used[s.Name] {
			p.namedType(s)
		}
	}
}

func (p *planner) namedType(s *spec.Schema) {
	name, ok := p.schemas[s.Name]
	if !ok {
		return
	}
	t := &Type{Line: s.Line, Name: name, Schema: s.Name, Doc: s.Doc, Input: p.sent[s.Name], JSON: true}
	p.add(t)
	if len(s.Enum) > 0 {
		t.Base = scalar(s)
		p.enum(t, s)
		return
	}
	p.fields(t, s)
}

func (p *planner) add(t *Type) {
	p.plan.Types = append(p.plan.Types, t)
	p.declared[t.Name] = t
}
