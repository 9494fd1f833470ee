package spec

// Place returns the file and the line in it that a Line of the document stands for. Those of its first file are their own number.
func (d *Document) Place(line int) (file string, in int) {
	if file, in = d.lines.Place(line); file == "" {
		file = d.File
	}
	return file, in
}

// Where names a Line inside a message about the document: 12, or common.yaml:12 if that is not its first file.
func (d *Document) Where(line int) string { return d.lines.Text(line, 1) }

func (d *Document) index() {
	d.named = make(map[string]*Schema, len(d.Schemas))
	for _, s := range d.Schemas {
		if d.named[s.Name] == nil {
			d.named[s.Name] = s
		}
	}
}

// Named returns the schema of components called name, or nil.
func (d *Document) Named(name string) *Schema {
	if d.named != nil {
		return d.named[name]
	}
	for _, s := range d.Schemas {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Resolve follows references until a schema that is none; nil where one leads nowhere or in a circle.
func (d *Document) Resolve(s *Schema) *Schema {
	for range len(d.Schemas) + 1 {
		if s == nil || s.Ref == "" {
			return s
		}
		s = d.Named(s.Ref)
	}
	return nil
}

// Properties returns an object's properties with those of its allOf; a later one replaces an earlier one of the same name. required
// gives the line at which a name is required.
func (d *Document) Properties(s *Schema) (props []*Property, required map[string]int) {
	g := gathering{doc: d, at: map[string]int{}, required: map[string]int{}, seen: map[*Schema]bool{}}
	g.add(s)
	return g.props, g.required
}

// A gathering is an object's properties as far as they are found.
type gathering struct {
	doc      *Document
	props    []*Property
	at       map[string]int // index into props, by name
	required map[string]int
	seen     map[*Schema]bool // an allOf may hold itself
}

func (g *gathering) add(s *Schema) {
	if s = g.doc.Resolve(s); s == nil || g.seen[s] {
		return
	}
	g.seen[s] = true
	for _, part := range s.AllOf {
		g.add(part)
	}
	for _, p := range s.Properties {
		if i, twice := g.at[p.Name]; twice {
			g.props[i] = p
			continue
		}
		g.at[p.Name] = len(g.props)
		g.props = append(g.props, p)
	}
	for _, name := range s.Required {
		g.required[name.Value] = name.Line
	}
}

// WindowsOf returns the windows that the calls of a group count against.
func (d *Document) WindowsOf(group string) []*Window {
	var out []*Window
	for _, g := range d.Groups {
		if g.Name != group {
			continue
		}
		for _, name := range g.Windows {
			for _, w := range d.Windows {
				if w.Name == name.Value {
					out = append(out, w)
				}
			}
		}
	}
	return out
}
