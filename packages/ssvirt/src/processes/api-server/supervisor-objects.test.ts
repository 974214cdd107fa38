/** The Machines and orders of a supervisor that does not serve them, serves them, changes, and refuses to list them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { connectCluster } from '@ssvirt/kube/connect-cluster';
import { createMetrics } from '@ssvirt/kube/metrics/metrics';
import { install, looseDefinition } from '../../../../../test/fleet/definition.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { machines } from '../../../../../test/machine-operator/definitions.ts';
import { until } from '../../../../../test/runtime/until.ts';
import type { SupervisorListing } from '../../api/supervisor/source.ts';
import { orders } from '../../controllers/cloudkit/operator/order-types.ts';
import { SupervisorObjects } from './supervisor-objects.ts';

describe('the Machines and orders of the supervisor', { timeout: 120_000 }, () => {
  let supervisor: MemberCluster;
  let stop: () => Promise<void> = () => Promise.resolve();
  before(async () => {
    supervisor = await startMemberCluster('supervisor');
  });
  after(async () => {
    await stop();
    await supervisor?.stop();
  });

  /** Watches again, with a connection that has discovered nothing. */
  async function watched(): Promise<SupervisorObjects> {
    await stop();
    const source = fixedSource(supervisor);
    const parts = { log: pino({ level: 'silent' }), metrics: createMetrics(new Registry()) };
    const connection = connectCluster({ name: 'local', source, component: 'test', ...parts });
    const objects = new SupervisorObjects(connection, { lookMs: 20, lookAgainMs: 20 });
    const stopping = new AbortController();
    const running = objects.run({ signal: stopping.signal });
    stop = async () => {
      stopping.abort();
      await running;
      await connection.close();
    };
    return objects;
  }

  function shown<T>(listing: SupervisorListing<T>): readonly T[] | string {
    return 'unavailable' in listing ? listing.unavailable : listing.entries;
  }

  test('that are not served are named, with what to do', async () => {
    const objects = await watched();
    assert.match(String(shown(objects.machines())), /has not read machines\.vitistack\.io yet/);
    const expected =
      'the supervisor does not serve machines.vitistack.io; apply deploy/crds/machines.vitistack.io.yaml';
    await until('it has looked', () => shown(objects.machines()) === expected);
    await until('it has looked for orders', () =>
      /does not serve virtualmachines\.cloud/.test(String(shown(objects.orders()))),
    );
  });

  test('are read and followed, without what may be secret', async () => {
    await install(
      supervisor.client,
      looseDefinition(machines.group, machines.version, machines.kind, machines.plural),
      looseDefinition(orders.group, orders.version, orders.kind, orders.plural),
    );
    const objects = await watched();
    await until(
      'both are read',
      () => Array.isArray(shown(objects.machines())) && Array.isArray(shown(objects.orders())),
    );
    const metadata = { namespace: 'default', name: 'web' };
    const condition = { lastTransitionTime: '2026-02-01T12:00:00Z', message: 'it runs', reason: 'Running' };
    await supervisor.client.create(machines, {
      metadata,
      spec: { template: 'small', cloudInit: { userData: 'hunter2' } },
      status: {
        phase: 'Running',
        kubevirtConfigRef: 'east',
        ipAddresses: ['10.0.0.4'],
        conditions: [{ ...condition, type: 'Ready', status: 'True' }],
      },
    });
    await supervisor.client.create(orders, {
      metadata,
      spec: { templateID: 'osac.templates.ocp_virt_vm', templateParameters: '{"cloud_init_config":"hunter2"}' },
    });
    await until('both are there', () => shown(objects.machines()).length === 1 && shown(objects.orders()).length === 1);
    const [machine] = shown(objects.machines());
    const [order] = shown(objects.orders());
    assert.doesNotMatch(JSON.stringify([machine, order]), /hunter2/);
    assert.deepEqual(
      { ...(machine as object), createdAt: '' },
      {
        ...metadata,
        createdAt: '',
        isBeingDeleted: false,
        phase: 'Running',
        isReady: true,
        reason: 'Running',
        message: 'it runs',
        restartRequired: false,
        cluster: 'east',
        vmName: null,
        nodeName: null,
        ipAddresses: ['10.0.0.4'],
      },
    );
    assert.deepEqual(
      { ...(order as object), createdAt: '' },
      {
        ...metadata,
        createdAt: '',
        isBeingDeleted: false,
        templateId: 'osac.templates.ocp_virt_vm',
        phase: null,
        provisionedBy: null,
        isAvailable: null,
        reason: null,
        message: null,
        desiredConfigVersion: null,
        reconciledConfigVersion: null,
        vmNamespace: null,
        vmName: null,
        ipAddresses: [],
      },
    );
    await supervisor.client.delete(machines, metadata);
    await until('it is gone', () => shown(objects.machines()).length === 0);
  });

  test('that may not be listed are named, with the right that is missing', async () => {
    supervisor.faults.add({ kind: '403', path: '/apis/vitistack.io/v1alpha1/machines' });
    const objects = await watched();
    const expected = 'the API server may not list machines.vitistack.io; apply deploy/rbac/api-server.yaml';
    await until('it is refused', () => shown(objects.machines()) === expected);
    await until('orders are read', () => Array.isArray(shown(objects.orders())));
  });
});
