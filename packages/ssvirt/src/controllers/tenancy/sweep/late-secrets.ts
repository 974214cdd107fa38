/**
 * Deletes Secrets that arrived too late: their sender had ended or given up, and the VM or vApp was created or undone
 * without them. The api-server may not list Secrets, but the database records which may still arrive, and their names
 * are unique.
 */
import { forgetRepeated, settledCreations, type SettledCreation } from '../../../db/vms/repeated-creations.ts';
import { installationId } from '../../../db/vdcs/vdc-work.ts';
import { labels } from '../../../kubevirt/tenant-vm/labels.ts';
import { parameterSecretName, secretNames } from '../../../kubevirt/tenant-vm/names.ts';
import { isLeaving } from '../vdcs/bound-namespace.ts';
import { refusalOf } from '../engine/failures.ts';
import { secrets } from '../../../fleet/kinds.ts';
import { SweepClient } from './sweep-client.ts';
import type { SweepParts } from './sweep.ts';
import { lateMs } from './orphan-decision.ts';

export type LateSecretParts = Pick<SweepParts, 'db' | 'cluster' | 'settings' | 'mayWrite' | 'log'>;

/** `deleteLateSecrets` runs with every sweep until nothing can arrive any more. */
export async function deleteLateSecrets(parts: LateSecretParts, signal: AbortSignal): Promise<void> {
  const { db, cluster, settings, mayWrite, log } = parts;
  const settled = await settledCreations(db, cluster.name);
  if (settled.length === 0 || !(await mayWrite())) return;
  const client = new SweepClient(cluster, { signal, timeoutMs: settings.requestMs });
  const installation = await installationId(db);
  for (const one of settled) {
    try {
      if (!(await isLeaving(client, one.namespace)))
        await (one.kind === 'vapp' ? deleteParameters(client, one, installation) : deleteGuestSecrets(client, one));
    } catch (error) {
      if (refusalOf(error, cluster.name) === undefined) throw error;
      // A failure does not block the entries after it.
      log.warn({ err: error, [one.kind]: one.id }, 'cannot delete late Secrets');
    }
    if (one.sinceMs > lateMs) await forgetRepeated(db, one);
  }
}

async function deleteParameters(
  client: SweepClient,
  { id, namespace, name }: SettledCreation,
  installation: string,
): Promise<void> {
  const found = await client.get(secrets, { namespace, name: parameterSecretName(name) });
  const { labels: own = {} } = found?.metadata ?? {};
  if (found === undefined || own[labels.vappId] !== id || own[labels.installationId] !== installation) return;
  await client.delete(secrets, found);
}

/** Cloud-init data is never read. */
async function deleteGuestSecrets(client: SweepClient, { namespace, name: vmName }: SettledCreation): Promise<void> {
  for (const name of Object.values(secretNames(vmName))) await client.deleteNamed(secrets, { namespace, name });
}
