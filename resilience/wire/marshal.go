package wire

// Marshal writes v as JSON in the form in which requests travel: <, > and & stay as they are. Generated types that write themselves call
// it; the errors are those of encoding/json.
func Marshal(v any) ([]byte, error) { return rawJSON(v) }
