/**
 * A cluster that has taken the place of another while no process ran: in it no namespace of ours is there, which must not count as deleted, and none is
 * made before a person has said that this is right. A process that has just begun knows it by what the vm-controller has recorded.
 */
import type { Kysely } from 'kysely';
import { recordedIdentity } from '../../db/cluster-identity.ts';
import type { Tables } from '../../db/schema.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { acceptIdentityAnnotation } from '../../fleet/kubevirt-config.ts';

/** What a person has to know, where it is another one; undefined where it is not. */
export async function otherCluster(
  db: Kysely<Tables>,
  fleet: Pick<Fleet, 'identityOf' | 'listConfigs'>,
  name: string,
): Promise<string | undefined> {
  const found = fleet.identityOf(name);
  const recorded = await recordedIdentity(db, name);
  if (found === undefined || recorded === undefined || recorded.identity === null) return undefined;
  if ([recorded.identity, recorded.accepted_identity, acceptedInFleet(fleet, name)].includes(found)) return undefined;
  return `it was the cluster with kube-system uid ${recorded.identity}, and is ${found} now. If that is right, run: ssvirt database accept-cluster ${name} ${found}`;
}

function acceptedInFleet(fleet: Pick<Fleet, 'listConfigs'>, name: string): string | undefined {
  const config = fleet.listConfigs().find(({ metadata }) => metadata.name === name);
  return config?.metadata.annotations?.[acceptIdentityAnnotation];
}
