// Command enums writes the values that string fields of built-in kinds may have, as a kube-apiserver publishes them in
// its OpenAPI documents; the documents in Kubernetes' repository are without them. It prints JSON: definition, then field
// (with ".items" or ".additionalProperties" where the values are those of a list or map), then values.
//
// Usage: go run ./enums ../../packages/sandbox/src/kinds/builtin.json > ../../packages/sandbox/src/kinds/builtin-enums.json
package main

import (
	"encoding/json"
	"log"
	"os"

	"k8s.io/kube-openapi/pkg/validation/spec"
	generated "k8s.io/kubernetes/pkg/generated/openapi"
)

type fields map[string][]any

func main() {
	var builtin struct{ Definitions map[string]any }
	file, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(file, &builtin)
	}
	if err != nil {
		log.Fatal(err)
	}
	all := generated.GetOpenAPIDefinitions(func(path string) spec.Ref { return spec.MustCreateRef("#/" + path) })
	enums := map[string]fields{}
	for name := range builtin.Definitions {
		definition, ok := all[name]
		if !ok {
			log.Fatal("no definition ", name)
		}
		if found := fieldsOf(definition.Schema); len(found) > 0 {
			enums[name] = found
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(enums); err != nil {
		log.Fatal(err)
	}
}

func fieldsOf(schema spec.Schema) fields {
	found := fields{}
	for name, property := range schema.Properties {
		if len(property.Enum) > 0 {
			found[name] = property.Enum
		}
		if property.Items != nil && len(property.Items.Schema.Enum) > 0 {
			found[name+".items"] = property.Items.Schema.Enum
		}
		if values := property.AdditionalProperties; values != nil && values.Schema != nil && len(values.Schema.Enum) > 0 {
			found[name+".additionalProperties"] = values.Schema.Enum
		}
	}
	return found
}
