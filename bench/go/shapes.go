package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// VirtualMachine keeps spec and status as bytes: the least that a whole object can cost in Go.
type VirtualMachine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   runtime.RawExtension `json:"spec,omitempty"`
	Status runtime.RawExtension `json:"status,omitempty"`
}

// VirtualMachineList is a list of them.
type VirtualMachineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []VirtualMachine `json:"items"`
}

// DeepCopyObject is what the cache asks for on every read.
func (vm *VirtualMachine) DeepCopyObject() runtime.Object {
	out := *vm
	vm.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	vm.Spec.DeepCopyInto(&out.Spec)
	vm.Status.DeepCopyInto(&out.Status)
	return &out
}

// DeepCopyObject is what the cache asks for on every read.
func (list *VirtualMachineList) DeepCopyObject() runtime.Object {
	out := *list
	out.Items = make([]VirtualMachine, len(list.Items))
	for i := range list.Items {
		out.Items[i] = *list.Items[i].DeepCopyObject().(*VirtualMachine)
	}
	return &out
}

func register(scheme *runtime.Scheme, group string) error {
	version := schema.GroupVersion{Group: group, Version: "v1"}
	scheme.AddKnownTypes(version, &VirtualMachine{}, &VirtualMachineList{})
	metav1.AddToGroupVersion(scheme, version)
	return nil
}

func shapes(shape, group string) (func() client.Object, func() client.ObjectList) {
	if shape == "raw" {
		return func() client.Object { return &VirtualMachine{} }, func() client.ObjectList { return &VirtualMachineList{} }
	}
	version := schema.GroupVersion{Group: group, Version: "v1"}
	one := func() client.Object {
		object := &unstructured.Unstructured{}
		object.SetGroupVersionKind(version.WithKind("VirtualMachine"))
		return object
	}
	many := func() client.ObjectList {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(version.WithKind("VirtualMachineList"))
		return list
	}
	return one, many
}

func items(list client.ObjectList) []client.Object {
	var objects []client.Object
	switch list := list.(type) {
	case *unstructured.UnstructuredList:
		for i := range list.Items {
			objects = append(objects, &list.Items[i])
		}
	case *VirtualMachineList:
		for i := range list.Items {
			objects = append(objects, &list.Items[i])
		}
	}
	return objects
}
