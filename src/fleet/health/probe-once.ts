/**
 * The one-time probe of a KubevirtConfig's cluster, for a caller that may read its Secret. It writes nothing, and
 * closes its connection at the end.
 */
import type { Client, RequestOptions } from '../../kube/client/client.ts';
import { createClient } from '../../kube/client/create.ts';
import type { ConnectionSource } from '../../kube/connection.ts';
import type { OtherCluster } from './compatibility.ts';
import { requestIdentity } from '../identity/identity-request.ts';
import { readCredentials } from '../kubevirtconfig/credentials.ts';
import { failureOf } from './failure.ts';
import { secretKeyOf, type KubevirtConfig } from '../kubevirtconfig/kubevirt-config.ts';
import type { Observation } from './observation.ts';
import { probeCluster } from './cluster-probe.ts';

export async function probeOnce(
  supervisor: Client,
  config: KubevirtConfig,
  options: RequestOptions,
): Promise<Observation> {
  const { outcome } = await readCredentials(supervisor, secretKeyOf(config), options);
  if ('failure' in outcome) return { secret: outcome.failure };
  return lookThrough(outcome.source, config, options);
}

async function lookThrough(
  source: ConnectionSource,
  { metadata, status }: KubevirtConfig,
  options: RequestOptions,
): Promise<Observation> {
  const client = createClient({ cluster: metadata.name ?? '', source, userAgent: 'ssvirt-fleet-status' });
  try {
    const found = await requestIdentity(client, options);
    const identity = status?.identity ?? found;
    return {
      connection: 'answers',
      identity,
      ...(identity === found ? {} : { otherIdentity: found }),
      survey: await probeCluster(client, options),
    };
  } catch (error) {
    return { connection: failureOf(error), ...(status?.identity === undefined ? {} : { identity: status.identity }) };
  } finally {
    await client.close();
  }
}

/** The baseline for comparing versions: the first cluster by name whose served versions are known. */
export function baselineOf(seen: ReadonlyMap<string, Observation>): OtherCluster | undefined {
  for (const name of [...seen.keys()].toSorted()) {
    const served = seen.get(name)?.survey?.served;
    if (served !== undefined && 'versions' in served) return { name, served: served.versions };
  }
  return undefined;
}
