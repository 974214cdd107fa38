package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// VirtualMachine keeps the spec as bytes, which costs less time and memory than KubeVirt's own type would.
type VirtualMachine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   runtime.RawExtension `json:"spec,omitempty"`
	Status VirtualMachineStatus `json:"status,omitempty"`
}

// VirtualMachineStatus is what is read of it, and the rest of it that the CRD lists for every VM.
type VirtualMachineStatus struct {
	PrintableStatus string             `json:"printableStatus,omitempty"`
	Created         bool               `json:"created,omitempty"`
	Ready           bool               `json:"ready,omitempty"`
	Conditions      []metav1.Condition `json:"conditions,omitempty"`
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
	out.Status.Conditions = make([]metav1.Condition, len(vm.Status.Conditions))
	for i := range vm.Status.Conditions {
		vm.Status.Conditions[i].DeepCopyInto(&out.Status.Conditions[i])
	}
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

func register(scheme *runtime.Scheme) {
	version := schema.GroupVersion{Group: "kubevirt.io", Version: "v1"}
	scheme.AddKnownTypes(version, &VirtualMachine{}, &VirtualMachineList{})
	metav1.AddToGroupVersion(scheme, version)
}

// project is a transform for the cache: what is left is what the reconciler reads.
func project(object any) (any, error) {
	vm, ok := object.(*VirtualMachine)
	if !ok {
		return object, nil
	}
	return &VirtualMachine{
		TypeMeta: vm.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{
			Name: vm.Name, Namespace: vm.Namespace, UID: vm.UID, ResourceVersion: vm.ResourceVersion,
			DeletionTimestamp: vm.DeletionTimestamp, Labels: vm.Labels,
		},
		Status: VirtualMachineStatus{PrintableStatus: vm.Status.PrintableStatus},
	}, nil
}
