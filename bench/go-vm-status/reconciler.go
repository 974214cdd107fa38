package main

import (
	"context"
	"errors"

	"github.com/go-logr/logr"
	"github.com/jackc/pgx/v5"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type reconciler struct {
	client client.Client
	rows   *rows
	log    logr.Logger
}

func (r *reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	vm := &VirtualMachine{}
	if err := r.client.Get(ctx, request.NamespacedName, vm); err != nil {
		if apierrors.IsNotFound(err) {
			return reconcile.Result{}, r.deleted(ctx, request.NamespacedName)
		}
		return reconcile.Result{}, err
	}
	found, err := r.rows.find(ctx, vm)
	if errors.Is(err, pgx.ErrNoRows) {
		return reconcile.Result{}, nil // not ours
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	status := statusOf(vm)
	if found.status != nil && *found.status == status {
		return reconcile.Result{}, nil
	}
	if found.status == nil {
		err = r.rows.insert(ctx, found.id, vm, status)
	} else {
		err = r.rows.update(ctx, found.id, status)
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	r.log.Info("Updated VM status", "vm", vm.Name, "namespace", vm.Namespace, "status", status, "vmID", found.id)
	return reconcile.Result{}, nil
}

func (r *reconciler) deleted(ctx context.Context, key types.NamespacedName) error {
	found, err := r.rows.findByName(ctx, key.Namespace, key.Name)
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && found.status == nil) {
		return nil
	}
	if err != nil {
		return err
	}
	return r.rows.update(ctx, found.id, "DELETED")
}

func statusOf(vm *VirtualMachine) string {
	if !vm.DeletionTimestamp.IsZero() {
		return "DELETING"
	}
	switch vm.Status.PrintableStatus {
	case "Running", "Migrating":
		return "POWERED_ON"
	case "Stopped", "":
		return "POWERED_OFF"
	case "Starting", "Provisioning", "WaitingForVolumeBinding":
		return "POWERING_ON"
	case "Stopping":
		return "POWERING_OFF"
	case "Paused":
		return "SUSPENDED"
	default:
		return "UNKNOWN"
	}
}
