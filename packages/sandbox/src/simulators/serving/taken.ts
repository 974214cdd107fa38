/** Protects a cluster that has its own KubeVirt: registrations of another owner are not replaced. */
import { get } from 'node:https';
import type { Client } from '@ssvirt/kube/client/client';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import { apiServices, foreignServer, isOurs, type ApiService, type Configuration } from './registered-objects.ts';

/** `TakenError`: another server already serves what the simulators would. The message is for the user. */
export class TakenError extends Error {
  override readonly name = 'TakenError';
}

const HEALTHY_WITHIN_MS = 2000;

/**
 * Throws a TakenError when other simulators serve a group of this name: two would undo each other's work. Crashed ones
 * do not count.
 */
export async function refuseRunning(client: Client, group: string): Promise<void> {
  const { items } = await client.list(apiServices);
  for (const found of items) {
    const { service, caBundle = '', group: served } = found.spec ?? {};
    if (served !== group || !isOurs(found) || service?.port === undefined) continue;
    if (await isHealthy(service.port, Buffer.from(caBundle, 'base64').toString()))
      throw new TakenError(
        `cannot simulate here: simulators run in this cluster already, and serve ${group} on port ${service.port} of ` +
          'this machine. Stop them first',
      );
  }
}

/** Another process may have the port now; only simulators have a certificate of that authority. */
function isHealthy(port: number, authority: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', servername: 'localhost', port, path: '/healthz', ca: authority, agent: false };
    const signal = AbortSignal.timeout(HEALTHY_WITHIN_MS);
    get({ ...options, signal }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}

/** `refuseTaken` throws a TakenError when another server serves such a group. */
export async function refuseTaken(client: Client, isTheirs: (group: string) => boolean): Promise<void> {
  const { items } = await client.list(apiServices);
  for (const found of items) if (isTheirs(found.spec?.group ?? '')) refuseForeign(found);
}

function refuseForeign(found: ApiService): void {
  const other = foreignServer(found);
  if (other === undefined) return;
  const { group = '', version = '' } = found.spec ?? {};
  throw new TakenError(
    `cannot simulate here: the service ${other} serves ${group}/${version}. Choose a cluster without it, ` +
      `or delete the APIService "${found.metadata.name ?? ''}" if it is not needed`,
  );
}

export async function refuseTakenConfiguration(client: Client, { type, object }: Configuration): Promise<void> {
  const { name = '' } = object.metadata;
  const found = await find(client, type, { name });
  if (found === undefined || isOurs(found)) return;
  throw new TakenError(
    `cannot simulate here: there is a ${type.kind} "${name}" of another owner. Choose a cluster without it, ` +
      'or delete it if it is not needed',
  );
}
