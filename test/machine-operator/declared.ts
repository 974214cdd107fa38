/** Writes Machines and NetworkConfigurations, and returns the server's objections. */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import type { Change } from './definition-changes.ts';
import { machines, type Declared } from './definitions.ts';

export const namespace = 'default';

/** If the server could not check everything, it says so in a separate cause. */
const unchecked = 'some validation rules were not checked';

/** The server's objections, cause by cause; empty if it accepts. */
export async function complaints(attempt: Promise<unknown>): Promise<readonly string[]> {
  try {
    await attempt;
    return [];
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    const { details, message = '' } = error.status ?? {};
    if (details?.causes === undefined) return [message];
    const causes = details.causes.filter((cause) => !(cause.message ?? '').includes(unchecked));
    return causes.map((cause) => `${cause.field}: ${cause.message}`).toSorted();
  }
}

export function declared(name: string, spec: object | undefined): Declared {
  return { metadata: { namespace, name }, ...defined({ spec }) };
}

export async function writeStatus(
  client: Client,
  name: string,
  wanted: NonNullable<Change['status']>,
): Promise<Declared> {
  const { storageReady, ...facts } = wanted;
  const conditions = storageReady === undefined ? [] : [condition('StorageReady', storageReady, 'PVCBound')];
  const body = { status: { ...facts, conditions } };
  return client.patch(machines, { namespace, name }, { type: 'merge', body }, { subresource: 'status' });
}

export function condition(type: string, status: string, reason: string): object {
  return { type, status, reason, message: '', observedGeneration: 1, lastTransitionTime: '2026-01-01T00:00:00Z' };
}
