/** What the tests of both modes observe: the calls, the pods that a Service reaches, and leaked secrets. */
import assert from 'node:assert/strict';
import { instances, services } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { orders, type Order } from '../../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { idempotencyKey } from '../../../packages/ssvirt/src/kubevirt/order/aap/webhook.ts';
import type { KubeObject, Unstructured } from '../../../packages/kube/src/object.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import { until } from '../../runtime/until.ts';
import { ordersNamespace, patient, tenant } from '../harness.ts';
import { password, token, type DualHarness } from './harness.ts';
import type { AapCall, Job } from '../../../packages/sandbox/src/simulators/aap/server.ts';

/** Parameters that only AAP and the guest may read. */
export const guestPassword = 'guest-password-that-nobody-may-see';
export const cloudInit = Buffer.from(`#cloud-config\npassword: ${guestPassword}\n`).toString('base64');
export const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEkeyThatNobodyMaySee me@example.org';

const pods: ResourceType<KubeObject> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const events: ResourceType = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

export async function eventsOf({ cloudkit }: DualHarness): Promise<readonly Unstructured[]> {
  return (await cloudkit.client.list(events, { namespace: ordersNamespace })).items;
}

/** No secret in logs, events, or what the operator writes to orders. */
export async function assertDiscreet(harness: DualHarness): Promise<void> {
  const { cloudkit } = harness;
  const { items } = await cloudkit.client.list(orders, { namespace: ordersNamespace });
  const told = JSON.stringify([
    cloudkit.lines,
    await eventsOf(harness),
    items.map(({ status, metadata }) => [status, metadata.annotations]),
  ]);
  assert.ok(cloudkit.lines.length > 0 && items.length > 0);
  for (const secret of [token, password, guestPassword, cloudInit, sshKey.split(' ')[1] ?? ''])
    assert.ok(!told.includes(secret), `${secret} was leaked`);
}

/** The create calls to AAP for this order, in sequence; a repeated key counts once. */
export function askedFor({ aap }: DualHarness, name: string): readonly string[] {
  const keys = aap.callsFor(name, 'create').map(({ key }) => key);
  return keys.filter((key, at) => key !== keys[at - 1]);
}

export function keyOf({ metadata, status }: Order): string {
  return idempotencyKey(metadata.uid ?? '', 'create', status?.desiredConfigVersion ?? '');
}

/** When the operator recorded that it makes this call, in milliseconds; the arrival depends on the load of the host. */
export function writtenAhead({ order }: AapCall): number {
  return Date.parse((order as unknown as Order).status?.webhook?.lastAttemptTime ?? '');
}

/** The running instance; each start makes another one. */
export async function instanceUid({ cloudkit }: DualHarness, name: string): Promise<string> {
  const { uid = '' } = (await cloudkit.child(instances, name)).metadata;
  return uid;
}

/** Traffic reaches the VM: the Service selects its pod, and no other. */
export async function assertReached({ cloudkit }: DualHarness, name: string): Promise<void> {
  const service = await cloudkit.child(services, `${name}-load-balancer`);
  const { selector = {} } = service['spec'] as { readonly selector?: Readonly<Record<string, string>> };
  const labelSelector = Object.entries(selector)
    .map((pair) => pair.join('='))
    .join(',');
  assert.notEqual(labelSelector, '');
  const { items } = await cloudkit.client.list(pods, { namespace: tenant, labelSelector });
  const { uid } = (await cloudkit.child(instances, name)).metadata;
  assert.deepEqual(
    items.map(({ metadata }) => metadata.ownerReferences?.[0]?.uid),
    [uid],
    `${labelSelector} selects ${JSON.stringify(items.map(({ metadata }) => metadata))}`,
  );
}

/** All of them, and at least this many. */
export async function jobsEnded({ aap }: DualHarness, name: string, count: number): Promise<readonly Job[]> {
  await until(
    `${count} jobs for ${name} have ended`,
    () => {
      const jobs = aap.jobsFor(name);
      if (jobs.length >= count && jobs.every(({ state }) => state !== 'running')) return true;
      throw new Error(JSON.stringify(jobs));
    },
    patient,
  );
  return aap.jobsFor(name);
}
