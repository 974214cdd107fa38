/**
 * Which values may be filled in at which place of a template's objects. The result is checked again in rule-faults.ts,
 * whoever wrote it.
 *
 * A template is written by an administrator and an order by a user with far fewer permissions, and the operator creates
 * the result with its own permissions. So each place accepts only what the template's author can have intended there,
 * whatever an order contains:
 * - Identity and location of an object (`apiVersion`, `kind`, `metadata.namespace`, every other `namespace`), names of
 *   fields, host disks, devices, networks, volumes and service accounts: only what the author has written (and
 *   `${TENANT_NAMESPACE}` for a namespace).
 * - References to Secrets, ConfigMaps and disks: what the author has written, also as a value of a parameter's `enum`;
 *   or else, however it was composed, the name of an object that this template creates for this order. Not even the
 *   name of the order, which its writer chooses, reaches anything else.
 * - Selectors, and labels and annotations that Kubernetes or KubeVirt act on: what the author has written, the order's
 *   name, or a value of an `enum`.
 * - Addresses of images: the author fixes the host, or the order gives the whole address; the latter never where a
 *   Secret is sent to the address.
 * - Fields that only the guest reads (data of Secrets and ConfigMaps, cloud-init, host name, serial numbers): any text.
 * - Everything else: values that the template bounds, which are a number, a boolean, a quantity, or a text with `enum`
 *   or `pattern`.
 */
import type { TemplateParameter } from '../parameters/template.ts';

export const kinds = {
  Secret: 'v1',
  ConfigMap: 'v1',
  Service: 'v1',
  PersistentVolumeClaim: 'v1',
  DataVolume: 'cdi.kubevirt.io/v1beta1',
  VirtualMachine: 'kubevirt.io/v1',
} as const;

export type ListedKind = keyof typeof kinds;

export function isListed(apiVersion: unknown, kind: unknown): kind is ListedKind {
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) && kinds[kind as ListedKind] === apiVersion;
}

export type FieldPosition =
  | { readonly takes: 'nothing' | 'namespace' | 'name' | 'listed' | 'bounded' | 'text' | 'url' | 'image' }
  /** `of`: the kinds of objects that may be referred to if this template creates them. */
  | { readonly takes: 'reference'; readonly of: readonly ListedKind[] };

/** Names of fields from the object down; lists add no element. */
export type Path = readonly string[];

const disks: readonly ListedKind[] = ['DataVolume', 'PersistentVolumeClaim'];
const secret: FieldPosition = { takes: 'reference', of: ['Secret'] };
const configMap: FieldPosition = { takes: 'reference', of: ['ConfigMap'] };
const disk: FieldPosition = { takes: 'reference', of: disks };
const foreign: FieldPosition = { takes: 'reference', of: [] };
const nothing: FieldPosition = { takes: 'nothing' };

/** Fields whose value is a reference. */
const references: ReadonlyMap<string, FieldPosition> = new Map<string, FieldPosition>([
  ['secretName', secret],
  ['secretRef', secret],
  ['secretExtraHeaders', secret],
  ['imagePullSecret', secret],
  ['imagePullSecrets', secret],
  ['certConfigMap', configMap],
  ['claimName', disk],
  ['serviceAccountName', nothing],
  ['volumeName', nothing],
  ['networkName', nothing],
  ['externalName', nothing],
  ['externalIPs', nothing],
]);

/** Fields whose `name` is a reference. */
const named: ReadonlyMap<string, FieldPosition> = new Map<string, FieldPosition>([
  ['secretRef', secret],
  ['networkDataSecretRef', secret],
  ['userDataSecretRef', secret],
  ['secret', secret],
  ['imagePullSecrets', secret],
  ['configMap', configMap],
  ['configMapRef', configMap],
  ['dataVolume', disk],
  ['persistentVolumeClaim', disk],
  ['pvc', disk],
  ['dataSource', disk],
  ['dataSourceRef', disk],
  ['snapshot', foreign],
  ['sourceRef', foreign],
]);

const fixedParts: ReadonlySet<string> = new Set([
  'hostDisk',
  'hostDevices',
  'gpus',
  'namespaceSelector',
  'resourceClaims',
]);
/** Fields by name, with the parent field in which they are for the guest. */
const forGuests: ReadonlyMap<string, RegExp> = new Map([
  ['userData', /^cloudInit/],
  ['userDataBase64', /^cloudInit/],
  ['networkData', /^cloudInit/],
  ['networkDataBase64', /^cloudInit/],
  ['hostname', /^spec$/],
  ['serial', /^(?:disks|firmware)$/],
]);
const held: Readonly<Partial<Record<ListedKind, readonly string[]>>> = {
  Secret: ['data', 'stringData'],
  ConfigMap: ['data', 'binaryData'],
};

export function placeAt(kind: ListedKind, path: Path): FieldPosition {
  const [first = ''] = path;
  const last = path.at(-1) ?? '';
  if (held[kind]?.includes(first) === true) return { takes: 'text' };
  if (path.length === 2 && first === 'metadata' && last === 'name') return { takes: 'name' };
  if (path.length === 1) return nothing;
  if (/namespaces?$/i.test(last)) return { takes: 'namespace' };
  if (path.some((field) => fixedParts.has(field))) return nothing;
  if (path.at(-2) === 'labels' || path.at(-2) === 'annotations')
    return { takes: isActedOn(last) ? 'listed' : 'bounded' };
  if (path.includes('selector')) return { takes: 'listed' };
  return references.get(last) ?? namedPlace(path) ?? addressPlace(path) ?? { takes: guestOr(path) };
}

function namedPlace(path: Path): FieldPosition | undefined {
  return path.at(-1) === 'name' ? named.get(path.at(-2) ?? '') : undefined;
}

function addressPlace(path: Path): FieldPosition | undefined {
  if (path.includes('source') && /url$/i.test(path.at(-1) ?? '')) return { takes: 'url' };
  return path.at(-1) === 'image' ? { takes: 'image' } : undefined;
}

function guestOr(path: Path): 'text' | 'bounded' {
  return forGuests.get(path.at(-1) ?? '')?.test(path.at(-2) ?? '') === true ? 'text' : 'bounded';
}

/** Whether KubeVirt, CDI, Kubernetes or its network plugins act on the label or annotation. */
function isActedOn(key: string): boolean {
  return /(?:^|\.)(?:kubevirt\.io|k8s\.io|kubernetes\.io|cncf\.io|openshift\.io)\//.test(key);
}

/** Maps whose values must be strings: a number would be refused there. */
const textMaps: ReadonlySet<string> = new Set([
  'data',
  'stringData',
  'binaryData',
  'labels',
  'annotations',
  'matchLabels',
  'selector',
  'nodeSelector',
]);

export function isTextOnly(path: Path): boolean {
  return textMaps.has(path.at(-2) ?? '') || textMaps.has(path[0] ?? '');
}

/** `listed`: the template contains every possible value. `bounded`: the template limits the values. */
export type Freedom = 'listed' | 'bounded' | 'open';

export function freedomOf({ enum: all, type = 'string', pattern }: TemplateParameter): Freedom {
  if (all !== undefined) return 'listed';
  return type === 'string' && pattern === undefined ? 'open' : 'bounded';
}
