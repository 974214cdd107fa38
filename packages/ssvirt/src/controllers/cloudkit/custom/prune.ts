/**
 * Removes what an order has and its template no longer contains, the VM first. Disks are never removed, because their
 * data may be valuable: they stay until the order is deleted, and the order's status says so.
 */
import { defined } from '@ssvirt/base/values/defined';
import { isConflict, isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ListedKind } from '../../../kubevirt/order/custom/positions.ts';
import type { KubeLike } from '../../../kubevirt/tenant-vm/kube-like.ts';
import { childNames } from '../../../kubevirt/order/names.ts';
import { annotations } from '../../../kubevirt/order/resource.ts';
import { nameOf, writing } from '../children.ts';
import { ownOfKind, typeOf } from './template-kinds.ts';
import { madeOf } from './view.ts';
import { tell, type OrderWork } from '../work.ts';

type Wanted = Pick<KubeLike, 'kind'> & { readonly metadata: Pick<KubeLike['metadata'], 'name'> };

/** `prune` resolves to whether nothing was left to remove. */
export async function prune(work: OrderWork, wanted: readonly Wanted[]): Promise<boolean> {
  let isClean = true;
  for (const kind of ['VirtualMachine', 'Service', 'Secret', 'ConfigMap'] as const)
    for (const stray of strays(work, kind, wanted)) {
      isClean = false;
      const isHeld = (kind === 'Secret' || kind === 'ConfigMap') && isUsed(work, stray);
      // When the instance that was created with it is gone, the order is reconciled again.
      if (!isHeld) await remove(work, kind, stray);
    }
  return isClean;
}

/**
 * For an order that now uses the built-in template: removes what the previous template created, until nothing is left.
 */
export async function pruneForNative(work: OrderWork): Promise<void> {
  if (madeOf(work) === undefined) return;
  const { vm, service, cloudInitSecret, sshKeySecret } = childNames(work.identity);
  const isClean = await prune(work, [
    { kind: 'VirtualMachine', metadata: { name: vm } },
    { kind: 'Service', metadata: { name: service } },
    { kind: 'Secret', metadata: { name: cloudInitSecret } },
    { kind: 'Secret', metadata: { name: sshKeySecret } },
  ]);
  if (isClean) await work.journal.annotate({ [annotations.templateVersion]: null });
}

/** `disksLeftText` returns a sentence for the status; undefined if there are none. */
export function disksLeftText(work: OrderWork, wanted: readonly Wanted[]): string | undefined {
  const volumes = strays(work, 'DataVolume', wanted);
  const known = [...volumes, ...ownOfKind(work, 'DataVolume')].map(({ metadata }) => metadata.name);
  const wantedNames = wanted.map(({ metadata }) => metadata.name);
  const claims = strays(work, 'PersistentVolumeClaim', wanted).filter(
    ({ metadata: { name = '' } }) => !known.includes(name) && !wantedNames.includes(name) && isNamedByUs(work, name),
  );
  const names = [
    ...volumes.map(({ metadata }) => `DataVolume "${metadata.name ?? ''}"`),
    ...claims.map(({ metadata }) => `PersistentVolumeClaim "${metadata.name ?? ''}"`),
  ];
  if (names.length === 0) return undefined;
  return `No longer asked for, and kept until the order is deleted: ${names.join(', ')}.`;
}

function strays(work: OrderWork, kind: ListedKind, wanted: readonly Wanted[]): readonly KubeObject[] {
  const names = new Set(wanted.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name));
  return ownOfKind(work, kind).filter(
    ({ metadata }) => !names.has(metadata.name ?? '') && metadata.deletionTimestamp === undefined,
  );
}

/** CDI creates PersistentVolumeClaims of its own, which may carry our labels. */
function isNamedByUs({ identity }: OrderWork, name: string): boolean {
  return (name === identity.name || name.startsWith(`${identity.name}-`)) && !name.endsWith('-scratch');
}

function isUsed({ caches, identity }: OrderWork, { metadata }: KubeObject): boolean {
  return caches.instances.childrenOf(identity.uid).some(({ uses }) => uses.includes(metadata.name ?? ''));
}

async function remove(work: OrderWork, kind: ListedKind, { metadata }: KubeObject): Promise<void> {
  const { cluster, identity, signal } = work;
  const { name = '', uid, resourceVersion } = metadata;
  const key = { namespace: identity.tenantNamespace, name };
  const type = typeOf(kind);
  await writing(work, `delete ${nameOf(type, key)}`, async () => {
    try {
      await cluster.client.delete(type, key, {
        signal,
        ...defined({ uid }),
        // A VM is written all the time. Its uid alone ensures that no other object is deleted.
        ...(resourceVersion === undefined || kind === 'VirtualMachine' ? {} : { resourceVersion }),
      });
      tell(work, 'Normal', 'Removed', `${nameOf(type, key)} is no longer requested`);
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  });
}
