package source

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// formBody converts the fields of a form, or says why it cannot.
func (c *converter) formBody(media *mapping, from *pair, kind string) *change {
	target := c.target(c.get(from.value, "schema"))
	g := c.gather(target)
	if len(g.fields) == 0 || g.other {
		return &oddBody
	}
	switch {
	case g.lost:
		c.noteField(target.Line, oddChoice)
	case g.mixed:
		c.note(target.Line, merged)
	}
	c.tellMore(target)
	for _, f := range g.fields {
		if g.required[f.key] && c.mayBeEmpty(f.value) {
			c.note(f.line, emptyInForm)
		}
	}
	at := inForm
	if kind == spec.MultipartBody {
		at = inMultipart
	}
	form := &form{
		gathering: &gathering{at: map[string]int{}, required: map[string]bool{}}, c: c, kind: kind, encoding: c.get(from.value, "encoding"),
	}
	if why := form.fill(g); why != nil {
		return why
	}
	out := c.mapping(from.line)
	out.copyText(target, "description")
	c.flat(out, form.gathering, target.Line, at, true)
	media.set("schema", from.line, out.node)
	form.encode(media)
	if !out.has("properties") {
		return &oddBody
	}
	return nil
}

// A form is the fields of one as they are sent: objects that travel as a[b]=1 are written out.
type form struct {
	*gathering
	c        *converter
	kind     string
	encoding *yaml.Node
	spent    int // fields that were looked at
}

const (
	maxSpread = 4      // how deep the objects of a form are written out as a[b][c]=1
	maxFields = 10_000 // how many fields that may come to; more nobody can mean
)

func (f *form) add(p pair, must bool) {
	if _, twice := f.at[p.key]; twice {
		return
	}
	f.at[p.key] = len(f.fields)
	f.fields = append(f.fields, p)
	f.required[p.key] = must
}

// fill takes over fields by how they are written on the wire, and says why it cannot.
func (f *form) fill(g *gathering) *change {
	for _, p := range g.fields {
		must, fine := g.required[p.key], true
		switch f.writing(p) {
		case asSpread:
			fine = f.spread(p, must, maxSpread)
		case asJoined:
			f.add(f.c.joined(p, f.c.text(f.c.get(f.encoding, p.key), "style")), must)
		case asNothing:
			f.c.note(p.line, oddEncoding)
			fine = !must
		case asUsual:
			f.add(p, must)
			fine = writable(p.key) || !must || f.c.isReadOnly(p.value)
		}
		switch {
		case f.spent > maxFields:
			return &hugeBody
		case !fine:
			return &needsField
		}
	}
	return nil
}

// A writing is how a field of a form is written.
type writing uint8

const (
	asUsual   writing = iota // text, files, JSON, and lists as encode has it
	asSpread                 // a[b]=1
	asJoined                 // as text, whose parts the caller joins
	asNothing                // it cannot be
)

func (f *form) writing(p pair) writing {
	how := f.c.get(f.encoding, p.key)
	style, explode, content := f.c.text(how, "style"), f.c.text(how, "explode"), f.c.text(how, "contentType")
	k := f.c.kind(p.value)
	isObject := k == kindObject || k == kindMap
	switch {
	case style == "deepObject":
		return asSpread
	case style == "pipeDelimited" || style == "spaceDelimited":
		switch {
		case isObject:
			return asNothing
		case k == kindArray && explode != "true":
			return asJoined
		}
	case isObject && f.kind == spec.FormBody && (style != "" || explode != ""): // a multipart form is written by media types
		return asNothing
	case (isObject || k == kindArray && !f.c.ofScalars(p.value) && !f.ofFiles(p.value)) && content != "" && !hasJSON(content):
		return asNothing
	}
	return asUsual
}

// hasJSON reports whether JSON is one of the media types of an encoding, which commas part.
func hasJSON(content string) bool {
	for one := range strings.SplitSeq(content, ",") {
		if kind := spec.MediaType(strings.TrimSpace(one)); spec.IsJSON(kind) || kind == "*/*" {
			return true
		}
	}
	return false
}

// joined is a list that the caller gives as text, as the platform writes it.
func (c *converter) joined(p pair, style string) pair {
	c.note(p.line, joined)
	text := c.plainText(p.line)
	text.text("description", strings.TrimSpace(c.text(c.target(p.value), "description")+between[style]), p.line)
	if c.isReadOnly(p.value) {
		text.text("readOnly", "true", p.line)
	}
	return pair{p.key, p.line, text.node}
}

// spread writes out an object; false where it holds a required field that cannot be written.
func (f *form) spread(p pair, must bool, levels int) bool {
	if f.spent++; f.spent > maxFields {
		return true
	}
	value := f.c.target(p.value)
	k := f.c.kind(value)
	if k == kindAny {
		if object := f.c.objectAmong(value); object != nil {
			f.c.within("", "."+p.key, func() { f.c.noteField(p.line, oddChoice) })
			value, k = object, kindObject
		}
	}
	switch {
	case k == kindObject && levels > 0:
		inner := f.c.gather(value)
		f.c.note(p.line, spread)
		for _, q := range inner.fields {
			if !f.spread(pair{p.key + "[" + q.key + "]", q.line, q.value}, must && inner.required[q.key], levels-1) {
				return false
			}
		}
	case k == kindArray && f.c.ofScalars(value):
		p.key += "[]"
		f.add(p, must)
	case k == kindObject || k == kindMap || k == kindArray || k == kindAny || !writable(p.key):
		if must {
			return false
		}
		f.c.note(p.line, oddParam)
	default:
		f.add(p, must)
	}
	return true
}

// encode says which lists travel with commas, and which repeat their name. Without it they would be JSON text.
func (f *form) encode(media *mapping) {
	c := f.c
	made := c.mapping(media.node.Line)
	for _, p := range f.fields {
		if c.kind(p.value) != kindArray || !c.ofScalars(p.value) || c.isReadOnly(p.value) || !writable(p.key) {
			continue
		}
		how := c.get(f.encoding, p.key)
		style, explode := c.text(how, "style"), "true"
		switch {
		case c.text(how, "explode") == "false" && (style == "" || style == "form"):
			explode = "false"
		case spec.IsJSON(spec.MediaType(c.text(how, "contentType"))), f.ofFiles(p.value):
			continue
		}
		entry := c.mapping(p.line)
		entry.text("style", "form", p.line)
		entry.text("explode", explode, p.line)
		made.add(p.key, p.line, entry.node)
	}
	if len(made.node.Content) > 0 {
		media.set("encoding", media.node.Line, made.node)
	}
}

// ofFiles reports whether a list holds files, of which a multipart form takes one.
func (f *form) ofFiles(n *yaml.Node) bool {
	return f.kind == spec.MultipartBody && f.c.isFile(f.c.target(f.c.get(f.c.united(n), "items")))
}

// ofScalars reports whether a list holds texts, numbers or booleans.
func (c *converter) ofScalars(n *yaml.Node) bool {
	return c.kind(c.get(c.united(n), "items")).isScalar()
}
