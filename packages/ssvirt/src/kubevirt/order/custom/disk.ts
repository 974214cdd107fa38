/**
 * The disks that a template requests, and what happens to an existing disk when the order or its template changes: it
 * can only grow.
 */
import { defined } from '@ssvirt/base/values/defined';
import { fields, text, type Fields } from '../../facts/reading.ts';
import type { StorageClassFacts } from '../../machine/storage-class.ts';
import type { KubeLike } from '../../tenant-vm/kube-like.ts';
import { sizeChange, type DiskChange } from '../disk-change.ts';

export interface TemplateDisk {
  /** The requested size; absent if the size of its source counts. */
  readonly size?: string;
  readonly storageClass?: unknown;
  /** Everything that cannot be changed: the spec without the size. */
  readonly lasting: Fields;
}

export function isDisk({ kind }: { readonly kind: string }): boolean {
  return kind === 'DataVolume' || kind === 'PersistentVolumeClaim';
}

export function templateDisk({ kind, spec }: KubeLike): TemplateDisk {
  const whole = fields(spec);
  const part = partOf(kind, whole);
  const claim = part === undefined ? whole : fields(whole[part]);
  const { requests, ...limits } = fields(claim['resources']);
  const { storage, ...others } = fields(requests);
  const size = typeof storage === 'number' ? String(storage) : text(storage, 64);
  const rest = { ...claim, resources: { ...limits, requests: others } };
  return {
    ...defined({ size }),
    storageClass: claim['storageClassName'],
    lasting: part === undefined ? rest : { ...whole, [part]: rest },
  };
}

/** `withStorageClass` sets the class of a disk that names none. */
export function withStorageClass(object: KubeLike, name: string): KubeLike {
  const spec = fields(object['spec']);
  const part = partOf(object.kind, spec);
  const claim = { ...(part === undefined ? spec : fields(spec[part])), storageClassName: name };
  return { ...object, spec: part === undefined ? claim : { ...spec, [part]: claim } };
}

function partOf(kind: string, spec: Fields): 'pvc' | 'storage' | undefined {
  if (kind !== 'DataVolume') return undefined;
  return spec['pvc'] === undefined ? 'storage' : 'pvc';
}

export interface LiveTemplateDisk {
  readonly dataVolume: unknown;
  readonly claim: unknown;
  /** The hash of `lasting` with which it was created, and the hash with which it would be created now. */
  readonly madeAs: string | undefined;
  readonly wantedAs: string;
}

export function templateDiskChange(
  object: KubeLike,
  { dataVolume, claim, madeAs, wantedAs }: LiveTemplateDisk,
  classes: readonly StorageClassFacts[],
): DiskChange {
  if (dataVolume === undefined && claim === undefined) return 'create';
  const named = `${object.kind} "${object.metadata.name}"`;
  if (madeAs !== undefined && madeAs !== wantedAs) {
    const message = `${named} exists and was created from another source${sourceOf(object, dataVolume)}, and the source of a disk cannot be changed: set the parameters or the template back, or create another order.`;
    return { problem: { reason: 'ImmutableFieldChanged', message } };
  }
  const { size } = templateDisk(object);
  return size === undefined
    ? 'keep'
    : sizeChange({ diskSize: size, named: `The size of ${named}`, called: 'it' }, dataVolume, claim, classes);
}

function sourceOf(object: KubeLike, dataVolume: unknown): string {
  const [before, now] = [dataVolume, object].map((one) => urlOf(fields(fields(one)['spec'])['source']));
  return before === undefined || now === undefined || before === now ? '' : ` (from "${before}", now from "${now}")`;
}

/** Without credentials, which may be a password. */
function urlOf(source: unknown): string | undefined {
  const { registry, http } = fields(source);
  return text(fields(registry ?? http)['url'], 200)?.replace(/\/\/[^/@]*@/, '//');
}
