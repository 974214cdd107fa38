/**
 * Detects a cluster that was replaced by another one while no process ran. The new cluster has none of our namespaces,
 * which must not count as deleted, and none are created before a person has accepted the change. A process that has
 * just started knows the old identity from the vm-controller's record.
 */
import type { Kysely } from 'kysely';
import { recordedIdentity } from '../../../db/clusters/cluster-identity.ts';
import type { Tables } from '../../../db/schema/schema.ts';
import type { Fleet } from '../../../fleet/fleet.ts';
import { acceptIdentityAnnotation } from '../../../fleet/kubevirtconfig/kubevirt-config.ts';

/** What a person has to know if the identity has changed; undefined if it has not. */
export async function otherCluster(
  db: Kysely<Tables>,
  fleet: Pick<Fleet, 'identityOf' | 'listConfigs'>,
  name: string,
): Promise<string | undefined> {
  const found = fleet.identityOf(name);
  const recorded = await recordedIdentity(db, name);
  if (found === undefined || recorded === undefined || recorded.identity === null) return undefined;
  if ([recorded.identity, recorded.accepted_identity, acceptedInFleet(fleet, name)].includes(found)) return undefined;
  return `its kube-system uid was ${recorded.identity} and is ${found} now. If that is expected, run: ssvirt database accept-cluster ${name} ${found}`;
}

function acceptedInFleet(fleet: Pick<Fleet, 'listConfigs'>, name: string): string | undefined {
  const config = fleet.listConfigs().find(({ metadata }) => metadata.name === name);
  return config?.metadata.annotations?.[acceptIdentityAnnotation];
}
