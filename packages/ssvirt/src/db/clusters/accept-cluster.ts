/**
 * A person's decision that another cluster may answer under a known name. Until then the vm-controller writes nothing
 * from it, because a wrong kubeconfig looks the same.
 */
import type { Kysely } from 'kysely';
import type { Tables } from '../schema/schema.ts';

export class ClusterAcceptError extends Error {
  override readonly name = 'ClusterAcceptError';
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `acceptCluster` resolves to the identity that was recorded before. */
export async function acceptCluster(db: Kysely<Tables>, name: string, uid: string): Promise<string | undefined> {
  const refuse = (why: string): never => {
    throw new ClusterAcceptError(`cannot accept the cluster "${name}": ${why}`);
  };
  if (!uuid.test(uid))
    refuse(`"${uid}" is not a uid; ask the cluster: kubectl get namespace kube-system -o jsonpath={.metadata.uid}`);
  const row = await db
    .updateTable('clusters')
    .set({ accepted_identity: uid.toLowerCase() })
    .where('name', '=', name)
    .returning('identity')
    .executeTakeFirst();
  if (row === undefined) {
    const known = await db.selectFrom('clusters').select('name').orderBy('name').execute();
    const names = known.map((one) => one.name).join(', ');
    refuse(known.length === 0 ? 'no cluster has been seen yet' : `there is none of that name; there are ${names}`);
  }
  return row?.identity ?? undefined;
}
