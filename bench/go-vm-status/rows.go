package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type rows struct{ pool *pgxpool.Pool }

type row struct {
	id string
	// Nil where nothing was ever observed.
	status *string
}

const (
	byVapp = `SELECT v.id::text, o.status FROM vms v LEFT JOIN vm_observed o ON o.vm_id = v.id
		WHERE v.vapp_id = $1::uuid AND v.vm_name = $2 AND v.deleted_at IS NULL LIMIT 1`
	byName = `SELECT v.id::text, o.status FROM vms v LEFT JOIN vm_observed o ON o.vm_id = v.id
		WHERE v.cluster = 'local' AND v.namespace = $1 AND v.vm_name = $2 AND v.deleted_at IS NULL LIMIT 1`
	changeStatus = `UPDATE vm_observed SET status = $2, status_changed_at = now(), observed_at = now() WHERE vm_id = $1::uuid`
	firstStatus  = `INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, status, epoch, sequence)
		VALUES ($1::uuid, 'local', $2, $3, $4::uuid, $5, 1, 1)`
)

func (r *rows) find(ctx context.Context, vm *VirtualMachine) (row, error) {
	if vapp, ok := vm.Labels["vapp.ssvirt.io/vapp-id"]; ok {
		return scan(r.pool.QueryRow(ctx, byVapp, vapp, vm.Name))
	}
	return r.findByName(ctx, vm.Namespace, vm.Name)
}

func (r *rows) findByName(ctx context.Context, namespace, name string) (row, error) {
	return scan(r.pool.QueryRow(ctx, byName, namespace, name))
}

func scan(result pgx.Row) (found row, err error) {
	err = result.Scan(&found.id, &found.status)
	return found, err
}

func (r *rows) update(ctx context.Context, id, status string) error {
	_, err := r.pool.Exec(ctx, changeStatus, id, status)
	return err
}

func (r *rows) insert(ctx context.Context, id string, vm *VirtualMachine, status string) error {
	_, err := r.pool.Exec(ctx, firstStatus, id, vm.Namespace, vm.Name, string(vm.UID), status)
	return err
}
