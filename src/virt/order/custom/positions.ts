/**
 * What may be put where in the objects of a template. What it comes to is checked in rule-faults.ts once more, whoever has written it.
 *
 * A template is written by an administrator, an order by somebody with far fewer rights, and the operator makes with its own rights what comes of both. So each
 * place takes only what the template's author surely meant there, whatever an order says:
 *   - What an object is and where it stands (`apiVersion`, `kind`, `metadata.namespace`, every other `namespace`), names of fields, host disks, devices, networks,
 *     volumes and service accounts: nothing but what the author has written (and `${TENANT_NAMESPACE}` for a namespace).
 *   - References to Secrets, ConfigMaps and disks: what the author has written, be it as one of a parameter's `enum`; or else, however it came about, the name of
 *     an object that this very template makes for this very order. Not even the name of the order, which its writer chooses, reaches anything else.
 *   - Selectors, and labels and annotations that Kubernetes or KubeVirt act on: what the author has written, the order's name, or one of an `enum`.
 *   - Addresses of images: the host is the author's, or the whole of it the order's; the latter never where a Secret is sent there.
 *   - What only the guest reads (data of Secrets and ConfigMaps, cloud-init, host name, serial numbers): any text.
 *   - All the rest: what is bounded by the template, which is a number, a truth value, a quantity, or a text with `enum` or `pattern`.
 */
import type { TemplateParameter } from '../template.ts';

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

export type Place =
  | { readonly takes: 'nothing' | 'namespace' | 'name' | 'listed' | 'bounded' | 'text' | 'url' | 'image' }
  /** `of`: kinds whose objects, where this template makes them, may be meant. */
  | { readonly takes: 'reference'; readonly of: readonly ListedKind[] };

/** Names of fields from the object down; lists are passed through. */
export type Path = readonly string[];

const disks: readonly ListedKind[] = ['DataVolume', 'PersistentVolumeClaim'];
const secret: Place = { takes: 'reference', of: ['Secret'] };
const configMap: Place = { takes: 'reference', of: ['ConfigMap'] };
const disk: Place = { takes: 'reference', of: disks };
const foreign: Place = { takes: 'reference', of: [] };
const nothing: Place = { takes: 'nothing' };

/** Fields that name something themselves. */
const references: ReadonlyMap<string, Place> = new Map<string, Place>([
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

/** Fields whose `name` does. */
const named: ReadonlyMap<string, Place> = new Map<string, Place>([
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
/** By the field, where it stands. */
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

export function placeAt(kind: ListedKind, path: Path): Place {
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

function namedPlace(path: Path): Place | undefined {
  return path.at(-1) === 'name' ? named.get(path.at(-2) ?? '') : undefined;
}

function addressPlace(path: Path): Place | undefined {
  if (path.includes('source') && /url$/i.test(path.at(-1) ?? '')) return { takes: 'url' };
  return path.at(-1) === 'image' ? { takes: 'image' } : undefined;
}

function guestOr(path: Path): 'text' | 'bounded' {
  return forGuests.get(path.at(-1) ?? '')?.test(path.at(-2) ?? '') === true ? 'text' : 'bounded';
}

/** By KubeVirt, CDI, Kubernetes or what serves its networks. */
function isActedOn(key: string): boolean {
  return /(?:^|\.)(?:kubevirt\.io|k8s\.io|kubernetes\.io|cncf\.io|openshift\.io)\//.test(key);
}

/** Where a number would be no text any more, and so refused. */
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

/** `listed`: every value stands in the template. `bounded`: the template says which there are. */
export type Freedom = 'listed' | 'bounded' | 'open';

export function freedomOf({ enum: all, type = 'string', pattern }: TemplateParameter): Freedom {
  if (all !== undefined) return 'listed';
  return type === 'string' && pattern === undefined ? 'open' : 'bounded';
}
