package source

import (
	"path/filepath"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// Options say what to read.
type Options struct {
	Spec        string // path of the spec
	Overlay     string // path of the overlay; empty: none, and without Draft the spec is read strictly
	AllowRemote bool   // fetch what http(s) references name
	Draft       bool   // the overlay lacks operations, or is not there: they have no x-sdk and no x-resilience yet, which is no fault
}

// Load reads the spec and merges the overlay. The notes say what a lenient reading changed, as "file:line: note: text"; the faults are
// what is wrong in the spec, or in the overlay, each with the file that its line belongs to; the error is about the files themselves.
// The document is nil only if there is a fault or an error.
//
// A foreign document ([spec.Document.Foreign]) has per operation Tags and, in a draft, Failures (what the spec says about answers that
// are no success); its Tags are by Go name; those that the overlay of a draft has already are Given. An operation without an
// operationId has "GET /users/{id}" for one. In a draft BaseURL is empty where no server of the spec is an absolute https address.
func Load(o Options) (doc *spec.Document, notes []string, faults []spec.Fault, err error) {
	if o.Overlay == "" && !o.Draft {
		doc, faults, err = loadOwn(o.Spec)
		return doc, nil, faults, err
	}
	files, err := openFiles(o.Spec, o.AllowRemote)
	if err != nil {
		return nil, nil, nil, err
	}
	defer files.close()
	root, err := files.main(filepath.Base(o.Spec))
	if err != nil {
		return nil, nil, nil, err
	}
	if root == nil {
		return nil, nil, spec.Sort(files.faults), nil
	}
	c := newConverter(files, o.Draft)
	if o.Overlay != "" {
		if ok, err := c.readOverlay(o.Overlay); !ok || err != nil {
			return nil, nil, spec.Sort(files.faults), err
		}
	}
	if !c.recognise(root) {
		return nil, nil, spec.Sort(files.faults), nil
	}
	tree := c.document(root)
	if c.full() {
		return nil, nil, spec.Sort(files.faults), nil
	}
	doc, faults = spec.Read(tree, files.lines, spec.Manner{Foreign: true, Draft: o.Draft, Partial: len(files.faults) > 0})
	if c.overlay != nil {
		doc.Overlay = c.overlay.text
	}
	for _, op := range doc.Operations {
		place := op.HTTPMethod + " " + op.Path
		op.Given, op.Recipients = c.given[place], c.recipientsOf[place]
	}
	faults = spec.Sort(append(faults, files.faults...))
	return doc, c.notes.texts(&files.lines), faults, nil
}

// loadOwn reads a spec with our extensions inside it, strictly.
func loadOwn(path string) (*spec.Document, []spec.Fault, error) {
	data, err := spec.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	doc, faults := spec.Parse(path, data)
	if doc == nil {
		return nil, faults, nil
	}
	files, err := openFiles(path, false)
	if err != nil {
		return nil, nil, err
	}
	defer files.close()
	c := newConverter(files, false)
	c.root = follow(files.adopt(filepath.Base(path), path, data))
	if envelope := c.get(c.root, "x-envelope"); envelope != nil {
		r := c.refusals(envelope)
		files.faults = nil // what is wrong with the answers themselves is said already
		c.comparePaths(r, envelope)
	}
	return doc, spec.Sort(append(faults, files.faults...)), nil
}
