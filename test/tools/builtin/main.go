// Command builtin writes what the sandbox knows of Kubernetes' built-in kinds: their discovery entries, their OpenAPI v3
// schemas without descriptions, and, from the Go types, how each field is encoded when it is zero. It prints JSON.
//
// Usage: go run ./builtin "$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)" > ../../packages/sandbox/src/kinds/builtin.json
package main

import (
	"encoding/json"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type object = map[string]any

// served lists the resources per group and version, with the subresources that the sandbox answers.
var served = []struct {
	group, version string
	resources      map[string][]string
}{
	{"", "v1", map[string][]string{
		"bindings": {}, "configmaps": {}, "endpoints": {}, "events": {}, "limitranges": {}, "namespaces": {"finalize", "status"},
		"nodes": {"status"}, "persistentvolumeclaims": {"status"}, "persistentvolumes": {"status"},
		"pods": {"binding", "eviction", "status"}, "replicationcontrollers": {"scale", "status"}, "resourcequotas": {"status"},
		"secrets": {}, "serviceaccounts": {"token"}, "services": {"status"},
	}},
	{"apiregistration.k8s.io", "v1", map[string][]string{"apiservices": {"status"}}},
	{"apps", "v1", map[string][]string{
		"controllerrevisions": {}, "daemonsets": {"status"}, "deployments": {"scale", "status"}, "replicasets": {"scale", "status"},
		"statefulsets": {"scale", "status"},
	}},
	{"events.k8s.io", "v1", map[string][]string{"events": {}}},
	{"authentication.k8s.io", "v1", map[string][]string{"selfsubjectreviews": {}, "tokenreviews": {}}},
	{"authorization.k8s.io", "v1", map[string][]string{
		"localsubjectaccessreviews": {}, "selfsubjectaccessreviews": {}, "selfsubjectrulesreviews": {}, "subjectaccessreviews": {},
	}},
	{"networking.k8s.io", "v1", map[string][]string{"networkpolicies": {}}},
	{"policy", "v1", map[string][]string{"poddisruptionbudgets": {"status"}}},
	{"rbac.authorization.k8s.io", "v1", map[string][]string{"clusterrolebindings": {}, "clusterroles": {}, "rolebindings": {}, "roles": {}}},
	{"storage.k8s.io", "v1", map[string][]string{"storageclasses": {}}},
	{"admissionregistration.k8s.io", "v1", map[string][]string{"mutatingwebhookconfigurations": {}, "validatingwebhookconfigurations": {}}},
	{"apiextensions.k8s.io", "v1", map[string][]string{"customresourcedefinitions": {"status"}}},
	{"scheduling.k8s.io", "v1", map[string][]string{"priorityclasses": {}}},
	{"coordination.k8s.io", "v1", map[string][]string{"leases": {}}},
	{"discovery.k8s.io", "v1", map[string][]string{"endpointslices": {}}},
}

// extra definitions that no served resource refers to but that clients look for.
var extra = []string{
	"io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
	"io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta",
	"io.k8s.apimachinery.pkg.apis.meta.v1.Status",
	"io.k8s.api.autoscaling.v1.Scale",
	"io.k8s.api.policy.v1.Eviction",
	"io.k8s.api.authentication.v1.TokenRequest",
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func read(path string) object {
	var value object
	if err := json.Unmarshal(must(os.ReadFile(path)), &value); err != nil {
		log.Fatal(path, ": ", err)
	}
	return value
}

func main() {
	root := filepath.Join(os.Args[1], "api")
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(types); err != nil {
			log.Fatal(err)
		}
	}
	all := object{}
	var resources []object
	for _, gv := range served {
		prefix := "apis__" + gv.group + "__"
		if gv.group == "" {
			prefix = "api__"
		}
		for name, definition := range read(filepath.Join(root, "openapi-spec/v3", prefix+gv.version+"_openapi.json"))["components"].(object)["schemas"].(object) {
			all[name] = definition
		}
		list := read(filepath.Join(root, "discovery", prefix+gv.version+".json"))
		resources = append(resources, pick(list["resources"].([]any), gv.group, gv.version, gv.resources)...)
	}
	for name, definition := range read(filepath.Join(root, "openapi-spec/v3/apis__autoscaling__v1_openapi.json"))["components"].(object)["schemas"].(object) {
		all[name] = definition
	}

	roots := slices.Clone(extra)
	for _, resource := range resources {
		roots = append(roots, attachDefinition(resource, all))
	}
	definitions := object{}
	for _, name := range roots {
		collect(name, all, definitions)
	}
	for gvk, t := range types.AllKnownTypes() {
		if gvk.Version != runtime.APIVersionInternal {
			annotate(t, definitions, map[reflect.Type]bool{})
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(object{"resources": resources, "definitions": definitions}); err != nil {
		log.Fatal(err)
	}
}

// pick keeps the wanted entries of a discovery document and folds subresources into their resource.
func pick(entries []any, group, version string, wanted map[string][]string) []object {
	var picked []object
	byName := map[string]object{}
	for _, entry := range entries {
		e := entry.(object)
		name, sub, isSub := strings.Cut(e["name"].(string), "/")
		subs, ok := wanted[name]
		switch {
		case !ok || (isSub && !slices.Contains(subs, sub)):
		case isSub:
			e["name"] = sub
			delete(e, "singularName")
			parent := byName[name]
			list, _ := parent["subresources"].([]object)
			parent["subresources"] = append(list, e)
		default:
			e["group"], e["version"] = group, version
			byName[name] = e
			picked = append(picked, e)
		}
	}
	return picked
}

// attachDefinition names the schema of a resource's kind.
func attachDefinition(resource object, all object) string {
	want := schema.GroupVersionKind{Group: resource["group"].(string), Version: resource["version"].(string), Kind: resource["kind"].(string)}
	for name, definition := range all {
		gvks, _ := definition.(object)["x-kubernetes-group-version-kind"].([]any)
		if len(gvks) != 1 {
			continue
		}
		gvk := gvks[0].(object)
		if gvk["group"] == want.Group && gvk["version"] == want.Version && gvk["kind"] == want.Kind {
			resource["definition"] = name
			return name
		}
	}
	log.Fatal("no schema for ", want)
	return ""
}

const refPrefix = "#/components/schemas/"

// collect copies a definition and all it refers to, without descriptions, with `allOf: [{$ref}]` folded to `$ref`.
func collect(name string, all, into object) {
	if _, done := into[name]; done {
		return
	}
	source, ok := all[name].(object)
	if !ok {
		log.Fatal("no definition ", name)
	}
	into[name] = object{}
	into[name] = strip(source, func(ref string) { collect(ref, all, into) })
}

func strip(value any, visit func(string)) any {
	switch v := value.(type) {
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = strip(item, visit)
		}
		return items
	case object:
		out := object{}
		for key, item := range v {
			if _, isText := item.(string); key == "description" && isText {
				continue
			}
			out[key] = strip(item, visit)
		}
		if parts, ok := out["allOf"].([]any); ok && len(parts) == 1 {
			delete(out, "allOf")
			out["$ref"] = parts[0].(object)["$ref"]
		}
		if ref, ok := out["$ref"].(string); ok {
			out["$ref"] = strings.TrimPrefix(ref, refPrefix)
			visit(out["$ref"].(string))
		}
		return out
	}
	return value
}

// further extends the way by the number in a tag such as "bytes,3,opt,name=x".
func further(way []int, field reflect.StructField) []int {
	parts := strings.Split(field.Tag.Get("protobuf"), ",")
	if way == nil || len(parts) < 2 {
		return nil
	}
	return append(slices.Clone(way), must(strconv.Atoi(parts[1])))
}

func definitionName(t reflect.Type) string {
	host, path, _ := strings.Cut(t.PkgPath(), "/")
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "." + strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}

// annotate adds x-go to the properties of every struct reachable from t.
func annotate(t reflect.Type, definitions object, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	definition, _ := definitions[definitionName(t)].(object)
	if definition != nil {
		definition["x-go-struct"] = t.Name()
	}
	annotateFields(t, definition, definitions, seen, []int{})
}

// annotateFields flattens embedded structs, as JSON does. In protobuf they are messages of their own: a field's numbers are the way
// to it, nil where there is none (the type of an object travels outside of its message).
func annotateFields(t reflect.Type, definition, definitions object, seen map[reflect.Type]bool, way []int) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		if field.Anonymous && name == "" && field.Type.Kind() == reflect.Struct {
			annotateFields(field.Type, definition, definitions, seen, further(way, field))
			continue
		}
		annotate(field.Type, definitions, seen)
		if definition == nil {
			continue
		}
		properties, _ := definition["properties"].(object)
		property, _ := properties[name].(object)
		if property == nil {
			continue
		}
		goField := object{"type": strings.TrimPrefix(field.Type.String(), "*")}
		if field.Type.Kind() == reflect.Pointer {
			goField["pointer"] = true
		}
		if strings.Contains(options, "omitempty") {
			goField["omitempty"] = true
		}
		if strings.Contains(options, "omitzero") {
			goField["omitzero"] = true
		}
		if numbers := further(way, field); numbers != nil {
			goField["protobuf"] = numbers
		}
		property["x-go"] = goField
	}
}
