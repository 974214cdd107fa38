/** Registers the simulators' server with the API server at each start, and unregisters it at the end. */
import type { Client } from '@ssvirt/kube/client/client';
import { KubeError } from '@ssvirt/kube/errors';
import type { KubeObject, ObjectKey, Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { until } from '../until.ts';
import type { AggregatedApi, ServedWebhook } from './contracts.ts';
import {
  apiServiceNameOf,
  apiServiceOf,
  apiServices,
  configurationsOf,
  groupsOf,
  serviceOf,
  services,
  type RegisteredAddress,
} from './registered-objects.ts';
import { refuseTaken, refuseTakenConfiguration } from './taken.ts';

export interface Registration {
  readonly webhooks: readonly ServedWebhook[];
  readonly apis: readonly AggregatedApi[];
  readonly address: RegisteredAddress;
}

const FIELD_MANAGER = 'ssvirt-simulators';
const AVAILABLE_WITHIN_MS = 60_000;

/** `register` resolves when every API answers through the API server. Throws a TakenError if one belongs to another owner. */
export async function register(client: Client, what: Registration, signal?: AbortSignal): Promise<void> {
  const aborting = signal === undefined ? {} : { signal };
  const apply = (type: ResourceType<KubeObject>, object: Unstructured): Promise<unknown> =>
    client.apply(type, object, { fieldManager: FIELD_MANAGER, force: true, ...aborting });
  const { webhooks, apis, address } = what;
  await refuseTaken(client, (group) => groupsOf(apis).includes(group));
  await Promise.all(configurationsOf(webhooks, address).map((one) => refuseTakenConfiguration(client, one)));
  await Promise.all([
    ...groupsOf(apis).map((group) => apply(services, serviceOf(group, address))),
    ...apis.map((api) => apply(apiServices, apiServiceOf(api, address))),
    ...configurationsOf(webhooks, address).map(({ type, object }) => apply(type, object)),
  ]);
  await Promise.all(apis.map((api) => available(client, api, signal)));
}

/** With a dead server behind them, the API server would refuse writes and could not delete namespaces any more. */
export async function unregister(client: Client, what: Registration): Promise<void> {
  const { webhooks, apis, address } = what;
  const doomed: readonly (readonly [ResourceType<KubeObject>, ObjectKey])[] = [
    ...configurationsOf(webhooks, address).map(({ type, object }) => [type, keyFor(object)] as const),
    ...apis.map((api) => [apiServices, { name: apiServiceNameOf(api) }] as const),
    ...groupsOf(apis).map((group) => [services, keyFor(serviceOf(group, address))] as const),
  ];
  const outcomes = await Promise.allSettled(doomed.map(([type, key]) => remove(client, type, key)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function remove(client: Client, type: ResourceType<KubeObject>, key: ObjectKey): Promise<void> {
  try {
    await client.delete(type, key, { timeoutMs: 5000 });
  } catch (error) {
    if (!(error instanceof KubeError && error.kind === 'NotFound')) throw error;
  }
}

function keyFor({ metadata: { name = '', namespace } }: Unstructured): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}

/** The condition may still be that of an earlier server: only an answer proves that it is this one. */
async function available(client: Client, api: AggregatedApi, signal: AbortSignal | undefined): Promise<void> {
  const name = apiServiceNameOf(api);
  let why = 'it has not been looked at yet';
  const isAvailable = async (): Promise<boolean> => {
    const { status } = await client.get(apiServices, { name });
    const condition = status?.conditions?.find(({ type }) => type === 'Available');
    why = condition?.message ?? why;
    return condition?.status === 'True' && (await answers(client, api));
  };
  await until(isAvailable, {
    withinMs: AVAILABLE_WITHIN_MS,
    ...(signal === undefined ? {} : { signal }),
    failure: () => `cannot serve ${api.group}/${api.version}: the APIService "${name}" is not available: ${why}`,
  });
}

async function answers(client: Client, { group, version }: AggregatedApi): Promise<boolean> {
  try {
    await client.request({ method: 'GET', path: `/apis/${group}/${version}`, timeoutMs: 5000 });
    return true;
  } catch (error) {
    if (error instanceof KubeError) return false;
    throw error;
  }
}
