/**
 * The cloud-init data of a Machine. If it is long or comes from a Secret of the supervisor, it is copied to a Secret
 * beside the VM.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { BoundedMap } from '@ssvirt/kube/bounded-map';
import { isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import { hashOf, NotOurs } from '@ssvirt/kube/reconcile/apply-child';
import { localName } from '../../../fleet/kubevirtconfig/kubevirt-config.ts';
import { secrets, type SecretObject } from '../../../fleet/kinds.ts';
import { ownershipOf } from '../../../fleet/placement/ownership.ts';
import { cloudInit, secretText, wantedSecret, type CloudInit } from '../../../kubevirt/machine/cloud-init.ts';
import { cloudInitSecretName, vmName } from '../../../kubevirt/machine/names.ts';
import type { ResolvedMachine } from '../../../kubevirt/machine/resolve.ts';
import { claimantOf, conflict, isAdopting } from '../placement/adoption.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { asked, askedToApply, problem, waiting } from '../step-halted.ts';
import { ensureSecretRights, haveSecretRights, secretsForbidden } from './secret-rights.ts';
import { isOurs, type MachineWork } from '../work.ts';

/**
 * The state of the last copy, by the uid of the Machine. A Secret is not read again if neither it nor the copy has
 * changed.
 */
export type Copies = BoundedMap<string, string>;

export async function ensureCloudInit(
  work: MachineWork,
  resolved: ResolvedMachine,
  copies: Copies,
): Promise<CloudInit> {
  const { identity } = work;
  const wanted = wantedSecret(resolved);
  if (wanted === undefined) return settle(work, cloudInit(identity, resolved));
  const { operator, caches } = work;
  const key = { namespace: identity.namespace, name: wanted.name };
  await ensureSecretRights(work);
  const version = operator.supervisor.secrets.versionOf(key);
  if (operator.supervisor.secrets.isClosed(identity.namespace))
    throw problem('cloud-init', secretsForbidden(work, localName), lookAgainMs);
  if (version === undefined) throw waiting('cloud-init', 'ReadingSecret', `waiting for Secret "${wanted.name}"`);
  const copyKey = { namespace: identity.namespace, name: cloudInitSecretName(identity.name) };
  const stateOf = (): string => {
    const copy = caches.secrets.get(copyKey)?.metadata;
    return hashOf([version, resolved.cloudInit, copy?.uid, copy?.resourceVersion]);
  };
  // Only the text requires a read. The name of the copy does not depend on the text.
  const unread = cloudInit(identity, resolved, '');
  if (version !== null && copies.get(identity.uid) === stateOf() && !('problem' in unread)) return unread;
  const found = secretText(wanted, await read(work, key));
  if ('problem' in found) throw problem('cloud-init', found.problem);
  const cloudInitData = await settle(work, cloudInit(identity, resolved, found.text));
  copies.set(identity.uid, stateOf());
  return cloudInitData;
}

async function read(work: MachineWork, key: { namespace: string; name: string }): Promise<SecretObject['data']> {
  const { operator, context, signal } = work;
  try {
    const { data = {} }: SecretObject = await operator.supervisor.client(context.term).get(secrets, key, { signal });
    return data;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function settle(work: MachineWork, cloudInitData: ReturnType<typeof cloudInit>): Promise<CloudInit> {
  if ('problem' in cloudInitData) throw problem('cloud-init', cloudInitData.problem);
  if (cloudInitData.secret !== undefined) {
    await ensureSecretRights(work);
    await apply(work, cloudInitData.secret);
  }
  return cloudInitData;
}

async function apply(work: MachineWork, desired: KubeObject): Promise<void> {
  const { caches, member, operator, signal } = work;
  const { namespace = '', name = '' } = desired.metadata;
  const live = caches.secrets.get({ namespace, name });
  const mayTake = (found: KubeObject): boolean =>
    isOurs(work)(found) || (isAdopting(work) && ownershipOf(claimantOf(work), found).kind === 'former');
  let stranger: KubeObject | undefined;
  const child = {
    type: secrets,
    desired,
    live,
    mayTake(found: KubeObject) {
      if (!mayTake(found)) stranger = found;
      return mayTake(found);
    },
    projected: true,
  };
  try {
    const { outcome } = await askedToApply('cloud-init', member.name, `write Secret "${namespace}/${name}"`, () =>
      operator.applier.apply(member.client, child, { signal }),
    );
    if (outcome === 'deleting')
      throw waiting(
        'cloud-init',
        'Replacing',
        `Secret "${namespace}/${name}" is being deleted; waiting for it to be gone`,
      );
  } catch (error) {
    if (!(error instanceof NotOurs)) throw error;
    throw problem('cloud-init', conflict(work, secrets, stranger ?? desired, undefined), lookAgainMs);
  }
}

/**
 * Runs after the VM was applied, which no longer names the Secret: its text is inline, or there is none. A running
 * instance was created from the previous template, and one that is still starting would wait for the Secret for ever.
 * When the instance is gone, the Machine is reconciled again.
 */
export async function dropCloudInitSecret(
  work: MachineWork,
  { cloudInit: asksFor, adopted }: ResolvedMachine,
): Promise<void> {
  const { caches, member, identity, signal } = work;
  const isUsed = adopted?.children.some(
    ({ kind, name }) => kind === 'Secret' && name === cloudInitSecretName(identity.name),
  );
  // The VM was adopted with this Secret, and the Machine states no cloud-init of its own.
  if (asksFor === undefined && isUsed === true) return;
  if (caches.instances.get({ namespace: identity.namespace, name: vmName(identity.name) }) !== undefined) return;
  // Without rights to Secrets we never created one.
  if (!(await haveSecretRights(work))) return;
  const key = { namespace: identity.namespace, name: cloudInitSecretName(identity.name) };
  const old = caches.secrets.get(key);
  if (old === undefined || !isOurs(work)(old) || old.metadata.deletionTimestamp !== undefined) return;
  const { uid } = old.metadata;
  await asked('cloud-init', member.name, `delete Secret "${key.name}"`, () =>
    member.client.delete(secrets, key, { signal, ...defined({ uid }) }),
  );
}
