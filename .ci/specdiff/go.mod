module github.com/dujiang-go/dujiang/gen/specdiff

go 1.26.0

require (
	github.com/dujiang-go/dujiang/gen v0.1.0
	github.com/getkin/kin-openapi v0.153.0
	github.com/oasdiff/oasdiff v1.38.0
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4
)

require (
	cloud.google.com/go v0.123.0 // indirect
	github.com/go-openapi/jsonpointer v1.0.2 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.2.0 // indirect
	github.com/tidwall/pretty v1.2.2 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	github.com/wI2L/jsondiff v0.7.1 // indirect
	github.com/yargevad/filepathx v1.0.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	go.yaml.in/yaml/v4 v4.0.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.52.1-0.20261106145633-d407941a339a // indirect
)

replace github.com/dujiang-go/dujiang/gen => ../../gen
