/**
 * The jobs that AAP runs for an order. Their steps follow the playbooks and roles. They run as cluster-admin, and
 * nothing in them detects concurrent writers.
 */
import type { Client } from '@ssvirt/kube/client/client';
import { isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import { findCondition, type Condition } from '@ssvirt/kube/reconcile/conditions';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { until } from '../until.ts';
import { apply, get, present } from './apply.ts';
import {
  annotations,
  dataVolumes,
  instances,
  labelKeys,
  orders,
  secrets,
  services,
  storageClasses,
  virtualMachines,
} from './kinds.ts';
import { cloudInitSecret, dataVolume, loadBalancer, sshKeySecret, virtualMachine, type Place } from './objects.ts';
import { roleParameters, tenantNamespaceOf, type OrderPayload, type RoleParameters } from './payload.ts';

/** `Generation` is the generation of the role. Generations differ in the label and in AAP's finalizer. */
export type Generation = keyof typeof labelKeys;

export interface RoleOptions {
  readonly client: Client;
  readonly generation: Generation;
  readonly signal: AbortSignal;
  /** How long a job waits until the VM is ready or deleted. */
  readonly waitMs: number;
  /** Called before each step, to slow a job down or make it fail. */
  readonly step: (name: string) => Promise<void>;
}

const floatingIpTemplate = 'osac.massopencloud.ocp_virt_vm';

export async function createJob(options: RoleOptions, order: OrderPayload): Promise<void> {
  const { client, step } = options;
  const place = placeOf(options, order);
  const { name, namespace } = place;
  await step('start');
  await changeFinalizers(options, order, (all) => [...new Set([...all, aapFinalizer(options)])]);
  const parameters = roleParameters(order);
  await step('cloud-init');
  await present(client, secrets, cloudInitSecret(place, parameters));
  if (parameters.sshPublicKey !== '') {
    await step('ssh-key');
    await present(client, secrets, sshKeySecret(place, parameters));
  }
  await step('data-volume');
  await apply(client, dataVolumes, dataVolume(place, parameters, await defaultClass(client)));
  await step('virtual-machine');
  await apply(client, virtualMachines, virtualMachine(place, parameters));
  await step('wait');
  await untilSo(options, `${namespace}/${name} is ready`, async () => {
    const vm = await get(client, virtualMachines, namespace, name);
    return vm !== undefined && readyOf(vm)?.status === 'True';
  });
  await step('annotate');
  const version = order.status?.desiredConfigVersion ?? 'unknown';
  await annotate(client, order, { [annotations.reconciledConfigVersion]: version });
  if (order.spec.templateID === floatingIpTemplate) await giveAddress(options, order, place, parameters, version);
}

async function giveAddress(
  options: RoleOptions,
  order: OrderPayload,
  place: Place,
  parameters: RoleParameters,
  version: string,
): Promise<void> {
  const { client, step } = options;
  const service = loadBalancer(place, parameters);
  await step('service');
  await present(client, services, service);
  await untilSo(options, `Service ${service.metadata.name} has an address`, async () => {
    const live = await get(client, services, place.namespace, service.metadata.name ?? '');
    const { loadBalancer: found } = (live?.['status'] ?? {}) as { loadBalancer?: { ingress?: readonly object[] } };
    return (found?.ingress?.length ?? 0) > 0;
  });
  // Stands for a floating IP of OpenStack.
  await annotate(client, order, {
    [annotations.floatingIp]: '192.0.2.77',
    [annotations.reconciledConfigVersion]: version,
  });
}

export async function deleteJob(options: RoleOptions, order: OrderPayload): Promise<void> {
  const { client, step } = options;
  const { name, namespace } = placeOf(options, order);
  await step('start');
  const vm = await get(client, virtualMachines, namespace, name);
  if (vm !== undefined && (await get(client, instances, namespace, name)) !== undefined) {
    await client.patch(virtualMachines, { namespace, name }, { type: 'merge', body: { spec: { running: false } } });
    await untilSo(options, `${namespace}/${name} is not ready`, async () => {
      const live = await get(client, virtualMachines, namespace, name);
      return live === undefined || readyOf(live)?.status !== 'True';
    });
  }
  await step('virtual-machine');
  await absent(options, virtualMachines, namespace, name, true);
  await step('services');
  await absent(options, services, namespace, `${name}-service`);
  await absent(options, services, namespace, `${name}-load-balancer`);
  await step('data-volume');
  await absent(options, dataVolumes, namespace, `${name}-root-disk`, true);
  await step('secrets');
  await absent(options, secrets, namespace, `${name}-cloud-init`);
  await absent(options, secrets, namespace, `${name}-ssh-public-key`);
  await step('finalizer');
  await changeFinalizers(options, order, (all) => all.filter((one) => one !== aapFinalizer(options)));
}

function placeOf({ generation }: RoleOptions, order: OrderPayload): Place {
  const { name } = order.metadata;
  return { name, namespace: tenantNamespaceOf(order), label: { [labelKeys[generation]]: name } };
}

function aapFinalizer({ generation }: RoleOptions): string {
  return `cloudkit.openshift.io/${generation}-aap`;
}

/** Replaces the whole list without a `resourceVersion`, as the playbook does: a concurrent write is lost. */
async function changeFinalizers(
  { client }: RoleOptions,
  { metadata: { namespace, name } }: OrderPayload,
  change: (all: readonly string[]) => readonly string[],
): Promise<void> {
  const { metadata } = await client.get(orders, { namespace, name });
  const finalizers = change(metadata.finalizers ?? []);
  if (finalizers.length === (metadata.finalizers ?? []).length) return;
  await client.patch(orders, { namespace, name }, { type: 'merge', body: { metadata: { finalizers } } });
}

async function annotate(
  client: Client,
  { metadata: { namespace, name } }: OrderPayload,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await client.patch(orders, { namespace, name }, { type: 'merge', body: { metadata: { annotations: values } } });
}

/** Returns the last class with the annotation, as the role's loop does. */
async function defaultClass(client: Client): Promise<string> {
  const { items } = await client.list(storageClasses);
  const found = items.findLast(
    ({ metadata }) => metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
  );
  if (found === undefined) throw new Error('there is no default storage class');
  return found.metadata.name ?? '';
}

async function absent(
  options: RoleOptions,
  type: ResourceType<KubeObject>,
  namespace: string,
  name: string,
  wait = false,
): Promise<void> {
  const { client } = options;
  try {
    await client.delete(type, { namespace, name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  if (wait)
    await untilSo(
      options,
      `${type.kind} ${name} is gone`,
      async () => (await get(client, type, namespace, name)) === undefined,
    );
}

function readyOf(vm: Unstructured): Condition | undefined {
  const { conditions } = (vm['status'] ?? {}) as { conditions?: readonly Condition[] };
  return findCondition(conditions, 'Ready');
}

/** Ends when the server stops, not only at its deadline. */
async function untilSo({ signal, waitMs }: RoleOptions, what: string, holds: () => Promise<boolean>): Promise<void> {
  const failure = (): string => `waited ${waitMs / 1000} s in vain until ${what}`;
  await until(holds, { withinMs: waitMs, signal, failure });
}
