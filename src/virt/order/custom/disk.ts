/** The disks that a template asks for, and what becomes of one when the order, or its template, has changed: it can only grow. */
import { fields, text, type Fields } from '../../facts/reading.ts';
import type { StorageClassFacts } from '../../declared-machine/storage-class.ts';
import type { KubeLike } from '../../machine/kube-like.ts';
import { sizeChange, type DiskChange } from '../disk-change.ts';

export interface TemplateDisk {
  /** The size that is asked for; absent where that of its source counts. */
  readonly size?: string;
  readonly storageClass?: unknown;
  /** All that cannot be changed of it: everything but its size. */
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
    ...(size === undefined ? {} : { size }),
    storageClass: claim['storageClassName'],
    lasting: part === undefined ? rest : { ...whole, [part]: rest },
  };
}

/** What a disk without a class is made with. */
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

export interface LiveDisk {
  readonly dataVolume: unknown;
  readonly claim: unknown;
  /** The mark of `lasting` that it was made with, and that it would be made with now. */
  readonly madeAs: string | undefined;
  readonly wantedAs: string;
}

export function templateDiskChange(
  object: KubeLike,
  { dataVolume, claim, madeAs, wantedAs }: LiveDisk,
  classes: readonly StorageClassFacts[],
): DiskChange {
  if (dataVolume === undefined && claim === undefined) return 'create';
  const named = `${object.kind} "${object.metadata.name}"`;
  if (madeAs !== undefined && madeAs !== wantedAs) {
    const message = `${named} is there and was made otherwise than it is asked for now${sourceOf(object, dataVolume)}, and what a disk is made of cannot be changed: set the parameters or the template back, or order another machine.`;
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

/** Without what may be a password in it. */
function urlOf(source: unknown): string | undefined {
  const { registry, http } = fields(source);
  return text(fields(registry ?? http)['url'], 200)?.replace(/\/\/[^/@]*@/, '//');
}
