package output

import "io/fs"

// Failing makes f write and rename by other functions; nil ones stay.
func (f *Folder) Failing(write func(string, []byte, fs.FileMode) error, rename func(from, to string) error) *Folder {
	if write != nil {
		f.write = write
	}
	if rename != nil {
		f.rename = rename
	}
	return f
}

// Build checks files as Check does where it cannot read the compiler's files.
func (f *Folder) Build(files map[string][]byte) error {
	c, err := newChecker(f)
	if err != nil {
		return err
	}
	return c.build(files)
}
