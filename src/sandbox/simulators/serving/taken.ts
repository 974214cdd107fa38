/** A cluster that has a KubeVirt of its own shall keep it: what another has registered is not taken over. */
import type { Client } from '../../../kube/client/client.ts';
import { find } from '../../../kube/reconcile/create-or-patch.ts';
import { apiServices, foreignServer, isOurs, type ApiService, type Configuration } from './registered-objects.ts';

/** Somebody else serves what the simulators would: for the person who started them. */
export class TakenError extends Error {
  override readonly name = 'TakenError';
}

/** Throws a TakenError where another server answers for such a group. */
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
      `or delete the APIService "${found.metadata.name ?? ''}" if nobody needs it`,
  );
}

export async function refuseTakenConfiguration(client: Client, { type, object }: Configuration): Promise<void> {
  const { name = '' } = object.metadata;
  const found = await find(client, type, { name });
  if (found === undefined || isOurs(found)) return;
  throw new TakenError(
    `cannot simulate here: there is a ${type.kind} "${name}" of somebody else. Choose a cluster without it, ` +
      'or delete it if nobody needs it',
  );
}
