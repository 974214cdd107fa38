/**
 * The one-time probe of a KubevirtConfig's cluster, for a caller that may read its Secret. It writes nothing, and
 * closes its connection at the end.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '@ssvirt/kube/client/client';
import { createClient } from '@ssvirt/kube/client/create';
import type { ConnectionSource } from '@ssvirt/kube/connection';
import type { OtherCluster } from './compatibility.ts';
import { requestIdentity } from '../identity/identity-request.ts';
import { readCredentials } from '../kubevirtconfig/credentials.ts';
import { failureOf } from './failure.ts';
import { secretKeyOf, type KubevirtConfig } from '../kubevirtconfig/kubevirt-config.ts';
import type { Observation } from './observation.ts';
import { probeCluster } from './cluster-probe.ts';
import { watchTrouble, type Reach } from './reachability.ts';

export async function probeOnce(supervisor: Client, config: KubevirtConfig, options: Reach): Promise<Observation> {
  const { outcome } = await readCredentials(supervisor, secretKeyOf(config), options);
  if ('failure' in outcome) return { secret: outcome.failure };
  return lookThrough(outcome.source, config, options);
}

async function lookThrough(
  source: ConnectionSource,
  { metadata, status }: KubevirtConfig,
  options: Reach,
): Promise<Observation> {
  const client = createClient({ cluster: metadata.name ?? '', source, userAgent: 'ssvirt-fleet-status' });
  try {
    const found = await requestIdentity(client, options);
    const identity = status?.identity ?? found;
    return {
      connection: 'answers',
      identity,
      ...(identity === found ? {} : { otherIdentity: found }),
      ...(await probeAnswering(client, options)),
    };
  } catch (error) {
    return { connection: failureOf(error), ...defined({ identity: status?.identity }) };
  } finally {
    await client.close();
  }
}

/**
 * What a cluster that answers serves, and whether its watches deliver. A watch gets half of the time, because the
 * signal of the caller may end everything when the whole time is over.
 */
export async function probeAnswering(
  client: Client,
  { timeoutMs, signal }: Reach,
): Promise<Pick<Observation, 'probe' | 'watches'>> {
  const [probe, watches] = await Promise.all([
    probeCluster(client, { signal, timeoutMs }),
    watchTrouble(client, { signal, timeoutMs: timeoutMs / 2 }),
  ]);
  return { probe, ...defined({ watches }) };
}

/** `baselineOf` returns the baseline for comparing versions: the first cluster by name whose served versions are known. */
export function baselineOf(seen: ReadonlyMap<string, Observation>): OtherCluster | undefined {
  for (const name of [...seen.keys()].toSorted()) {
    const served = seen.get(name)?.probe?.served;
    if (served !== undefined && 'versions' in served) return { name, served: served.versions };
  }
  return undefined;
}
