// Command internal-structs writes the fields of Kubernetes' internal structs in their order, with the JSON names of v1:
// some refusals show the difference of two internal structs. It prints JSON.
//
// Usage: go run ./internal-structs > ../../packages/sandbox/src/kinds/internal.json
package main

import (
	"encoding/json"
	"log"
	"os"
	"reflect"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/apis/core"
)

type field struct {
	// Name is what Go prints, JSON the field of v1 that it comes from.
	Name   string `json:"name"`
	JSON   string `json:"json"`
	Struct string `json:"struct,omitempty"`
	Zero   any    `json:"zero"`
	Kind   string `json:"kind"`
}

// leaves are structs that are printed as in v1.
var leaves = map[reflect.Type]bool{
	reflect.TypeOf(resource.Quantity{}):    true,
	reflect.TypeOf(intstr.IntOrString{}):   true,
	reflect.TypeOf(metav1.Time{}):          true,
	reflect.TypeOf(metav1.LabelSelector{}): true,
}

var structs = map[string][]field{}

func main() {
	walk(reflect.TypeOf(core.PodSpec{}), reflect.TypeOf(v1.PodSpec{}))
	walk(reflect.TypeOf(core.PersistentVolumeClaimSpec{}), reflect.TypeOf(v1.PersistentVolumeClaimSpec{}))
	walk(reflect.TypeOf(core.PersistentVolumeSource{}), reflect.TypeOf(v1.PersistentVolumeSource{}))
	if err := json.NewEncoder(os.Stdout).Encode(structs); err != nil {
		log.Fatal(err)
	}
}

func walk(internal, versioned reflect.Type) {
	if _, done := structs[internal.Name()]; done {
		return
	}
	structs[internal.Name()] = nil
	structs[internal.Name()] = fieldsOf(internal, versioned)
}

func fieldsOf(internal, versioned reflect.Type) []field {
	var fields []field
	for i := range internal.NumField() {
		f := internal.Field(i)
		if f.Anonymous {
			fields = append(fields, fieldsOf(f.Type, versioned)...)
			continue
		}
		fields = append(fields, describe(f, versioned))
	}
	return fields
}

func describe(f reflect.StructField, versioned reflect.Type) field {
	out := field{Name: f.Name, JSON: strings.ToLower(f.Name[:1]) + f.Name[1:], Zero: zero(f.Type), Kind: "plain"}
	if tag := tagOf(f); tag != "" {
		out.Name = tag
	}
	counterpart, found := find(versioned, f.Name)
	if found {
		out.JSON = tagOf(counterpart)
	}
	switch f.Type.Kind() {
	case reflect.Pointer:
		out.Kind = "pointer"
	case reflect.Slice:
		out.Kind = "list"
	case reflect.Map:
		out.Kind = "map"
	case reflect.Struct:
		out.Kind = "struct"
	}
	if inner := element(f.Type); inner.Kind() == reflect.Struct && !leaves[inner] {
		out.Struct, out.Zero = inner.Name(), nil
		if found {
			walk(inner, element(counterpart.Type))
		} else {
			walk(inner, inner)
		}
	}
	return out
}

func zero(t reflect.Type) any {
	text, err := json.Marshal(reflect.Zero(t).Interface())
	if err != nil {
		log.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		log.Fatal(err)
	}
	return value
}

func tagOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

// find looks for a field by its Go name, whose case differs in places.
func find(t reflect.Type, name string) (reflect.StructField, bool) {
	if t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if strings.EqualFold(f.Name, name) && tagOf(f) != "" {
			return f, true
		}
		if f.Anonymous {
			if inner, ok := find(element(f.Type), name); ok {
				return inner, true
			}
		}
	}
	return reflect.StructField{}, false
}
