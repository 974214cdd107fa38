/**
 * What an object of a template may be and contain, once its parameters are filled in. A template is rendered with the
 * permissions of this installation, which reach into every VDC: the result may contain nothing that a directly created
 * VM could not have. There are two kinds of rules:
 * - for every value, whoever wrote it: kinds of objects, sources of disks, namespaces, networks, addresses, volumes,
 *   annotations that affect a pod;
 * - for values that the caller chose with a parameter: they may only name objects that this template creates, and set
 *   nothing that belongs to the provider, such as nodes and devices.
 * The places in the objects are those of order templates (../order/custom/positions.ts).
 */
import { defined } from '@ssvirt/base/values/defined';
import { fields, list, type Fields } from '../facts/reading.ts';
import { importUrlProblem, isImageReference, isInsideUrl } from '../tenant-vm/boot-source.ts';
import { isSecret } from '../catalog/parameters.ts';
import { kinds, placeAt, type ListedKind } from '../order/custom/positions.ts';
import type { RenderingFault } from './fault.ts';
import { noValues, render, type Leaf, type Rendered, type TemplateValues } from './rendering.ts';

export interface TemplatePlace {
  /** The namespace of the VDC. */
  readonly namespace: string;
  /** The namespaces from which disks may be cloned. */
  readonly imageNamespaces: readonly string[];
  /** Returns why a boot image in one of them cannot be used; undefined if it can. */
  readonly imageProblem?: (namespace: string, name: string) => string | undefined;
  /** What messages call the namespace; the default is "virtual data center". */
  readonly called?: string;
  /** The setting that names the namespaces of images, if the reader of the messages can change it. */
  readonly setting?: string;
}

/** `TemplateObject` is an object of a kind that a template may create, with its parameters filled in. */
export interface TemplateObject extends Rendered {
  readonly where: string;
  readonly kind: ListedKind;
}

interface Around {
  readonly place: TemplatePlace;
  readonly own: ReadonlySet<string>;
}

/** `templateFaults` checks all objects of a template as they will be created. */
export function templateFaults(
  objects: readonly unknown[],
  values: TemplateValues,
  place: TemplatePlace,
): readonly RenderingFault[] {
  const faults: RenderingFault[] = [];
  const drafts: TemplateObject[] = [];
  for (const [at, object] of objects.entries()) {
    const where = `objects[${at}]`;
    const rendered = render(object, values, where);
    const kind = kindOf(rendered.object);
    if (kind === undefined || chosenKind(rendered) !== undefined)
      faults.push(...rendered.faults, kindFault(rendered, where));
    else drafts.push({ ...rendered, kind, where: `${where} (${kind})` });
  }
  return [...faults, ...objectFaults(drafts, place)];
}

/** `objectFaults` checks all objects of a template after its parameters are filled in. */
export function objectFaults(objects: readonly TemplateObject[], place: TemplatePlace): readonly RenderingFault[] {
  const around = { place, own: new Set(objects.flatMap(ownNames)) };
  return objects.flatMap((object) => draftFaults(object, around));
}

/** `labelFaults` checks the labels that a template gives to all of its objects. */
export function labelFaults(labels: unknown, values: TemplateValues): readonly RenderingFault[] {
  return render({ labels }, values, 'labels').faults;
}

/** `machineFaults` checks what the cluster has created, or would create: nothing is left to fill in. */
export function machineFaults(machine: unknown, place: TemplatePlace): readonly RenderingFault[] {
  return templateFaults([machine], noValues, place);
}

/** `toldFault` returns a sentence for the caller, without values that may be secret. */
export function faultMessage({ where, message }: RenderingFault): string {
  return `${where} ${message}`;
}

function kindOf(object: unknown): ListedKind | undefined {
  const { apiVersion, kind } = fields(object);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) return undefined;
  const usual = kinds[kind as ListedKind];
  const isVersion = usual.includes('/')
    ? apiVersion.startsWith(`${usual.slice(0, usual.indexOf('/'))}/`)
    : apiVersion === usual;
  return isVersion ? (kind as ListedKind) : undefined;
}

/** Returns the parameter with which the caller chose the kind of an object. */
function chosenKind({ leaves }: Rendered): string | undefined {
  const typed = leaves.find(({ path, chosen }) => isTyping(path) && chosen.length > 0);
  return typed?.chosen[0];
}

function isTyping([first, ...rest]: readonly string[]): boolean {
  return rest.length === 0 && (first === 'apiVersion' || first === 'kind');
}

function kindFault(rendered: Rendered, where: string): RenderingFault {
  const { apiVersion, kind } = fields(rendered.object);
  const parameter = chosenKind(rendered);
  return {
    where,
    message: `is of the kind ${shown(kind)} of ${shown(apiVersion)}; a template may make ${Object.keys(kinds).join(', ')}, and says itself which`,
    ...defined({ parameter }),
  };
}

/** A DataVolume creates a claim of its name; references to that claim name the DataVolume. */
function ownNames({ kind, object }: TemplateObject): readonly string[] {
  const { metadata, spec } = fields(object);
  const disks =
    kind === 'VirtualMachine' ? list(fields(spec)['dataVolumeTemplates']).map((disk) => fields(disk)['metadata']) : [];
  const named = (of: ListedKind, meta: unknown): string => `${of} ${String(fields(meta)['name'])}`;
  return [named(kind, metadata), ...disks.map((meta) => named('DataVolume', meta))];
}

function draftFaults(draft: TemplateObject, around: Around): readonly RenderingFault[] {
  const { leaves, faults } = draft;
  const texts = leaves.flatMap((leaf) => {
    const rule = leaf.isOpen ? undefined : leafRule(draft, leaf, around);
    return rule === undefined ? [] : [faultAt(draft, leaf, rule)];
  });
  return [...faults, ...texts, ...structureFaults(draft), ...sourceFaults(draft, around)];
}

function faultAt({ where }: TemplateObject, { path, value, chosen, ...leaf }: Leaf, rule: string): RenderingFault {
  const parameter = chosen[0] ?? leaf.listed?.[0];
  const hidden = leaf.isHidden === true || isSecret(parameter ?? '', String(value));
  return {
    where: `${where} ${path.join('.')}`,
    message: `is ${hidden ? 'a value that is not shown' : shown(value)}; ${rule}`,
    ...defined({ parameter }),
  };
}

/** Fields that belong to the provider: where a VM runs, and which devices of the nodes it gets. */
const providerFields: ReadonlySet<string> = new Set([
  'affinity',
  'finalizers',
  'gpus',
  'hostDevices',
  'hostDisk',
  'loadBalancerIP',
  'nodeSelector',
  'ownerReferences',
  'priorityClassName',
  'resourceClaims',
  'revisionName',
  'schedulerName',
  'serviceAccountName',
  'tolerations',
  'topologySpreadConstraints',
  'volumeName',
]);

const objectName = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Returns why the value is not allowed there; undefined if it is. */
function leafRule(draft: TemplateObject, leaf: Leaf, { place, own }: Around): string | undefined {
  const { kind } = draft;
  const { path, chosen } = leaf;
  const isChosen = chosen.length > 0;
  const value = String(leaf.value ?? '');
  const [first = ''] = path;
  const last = path.at(-1) ?? '';
  const parent = path.at(-2) ?? '';
  if (path.length === 1 || (first === 'status' && !isChosen)) return undefined;
  if (parent === 'annotations') return annotationRule(kind, path, isChosen);
  if (parent === 'labels' || parent === 'matchLabels') return undefined;
  if (isSourceName(path)) return undefined;
  if (isChosen && path.some((field) => providerFields.has(field))) return 'only the template may set that';
  const where = placeAt(kind, path);
  switch (where.takes) {
    case 'namespace':
      return namespaceRule(path, value, isChosen, place);
    case 'reference':
      return !isChosen || (!isElsewhere(draft, path, place) && where.of.some((one) => own.has(`${one} ${value}`)))
        ? undefined
        : `a parameter may only name a ${where.of.join(' or ') || 'thing'} that the template makes itself`;
    case 'url':
      return urlRule(value, isChosen);
    case 'image':
      return !isChosen || isImageReference(value) ? undefined : 'that is not a container image reference';
    case 'nothing':
      return last === 'networkName' ? networkRule(value, isChosen, place) : fixedRule(last, isChosen);
    default:
      return undefined;
  }
}

/** Whether the reference has a namespace beside its name, and it is not that of the template's objects. */
function isElsewhere({ leaves }: TemplateObject, path: readonly string[], { namespace }: TemplatePlace): boolean {
  const beside = [...path.slice(0, -1), 'namespace'].join('.');
  return leaves.some(
    ({ path: at, value, isOpen }) => at.join('.') === beside && !isOpen && value !== '' && value !== namespace,
  );
}

/** The names in a disk's source are checked together: see `sourceFaults`. */
function isSourceName(path: readonly string[]): boolean {
  const [container, , field] = path.slice(-3);
  const isOfSource = container === 'source' && (field === 'name' || field === 'namespace');
  return isOfSource || path.at(-2) === 'sourceRef';
}

const usualPlace = 'virtual data center';

function namespaceRule(
  path: readonly string[],
  value: string,
  isChosen: boolean,
  place: TemplatePlace,
): string | undefined {
  const { namespace, imageNamespaces, called = usualPlace } = place;
  if (value === '' || value === namespace) return undefined;
  // OpenShift drops a literal namespace: all objects are created in that of the VDC.
  if (path.at(-2) === 'metadata') return isChosen ? `objects are made in the ${called}` : undefined;
  const isDisk = path.some((field) => field === 'dataSource' || field === 'dataSourceRef');
  if (isDisk && imageNamespaces.includes(value)) return isChosen ? choiceRule(value) : undefined;
  return `an object may only refer to its own ${called}`;
}

function urlRule(value: string, isChosen: boolean): string | undefined {
  const [, registry] = /^docker:\/\/(.*)$/.exec(value) ?? [];
  if (registry !== undefined)
    return !isChosen || isImageReference(registry) ? undefined : 'that is not a container image reference';
  if (!isChosen && !/^https?:/i.test(value)) return undefined;
  switch (importUrlProblem(value)) {
    case 'scheme':
      return 'that is no http://, https:// or docker:// address';
    case 'credentials':
      return 'an address may not contain credentials, since everyone who sees the disk can read them';
    default:
      return isInsideUrl(value)
        ? 'a disk may not be imported from inside of the cluster, or of one machine alone'
        : undefined;
  }
}

/** The same rule as for a directly created VM: a NetworkAttachmentDefinition of the VDC. */
function networkRule(
  value: string,
  isChosen: boolean,
  { namespace, called = usualPlace }: TemplatePlace,
): string | undefined {
  const [where, ...name] = value.includes('/') ? value.split('/') : [namespace, value];
  if (where !== namespace) return `a machine may only join networks of its ${called}`;
  return isChosen && !objectName.test(name.join('/')) ? 'that is no name of a network' : undefined;
}

function fixedRule(field: string, isChosen: boolean): string | undefined {
  if (field === 'externalName' || field === 'externalIPs') return 'a Service may only lead to machines of its template';
  return isChosen ? 'only the template may set that' : undefined;
}

/** Annotations by which others attach networks to a VM's pod, or run containers in it. */
const podAnnotation = /^hooks\.kubevirt\.io\/|(?:^|\.)(?:cncf\.io|multus-cni\.io|ovn\.org|projectcalico\.org)\//;
const diskAnnotation = /^(?:cdi\.kubevirt\.io\/|k8s\.io\/Clone)/;
const plainDiskAnnotations: ReadonlySet<string> = new Set([
  'cdi.kubevirt.io/storage.bind.immediate.requested',
  'cdi.kubevirt.io/storage.deleteAfterCompletion',
  'cdi.kubevirt.io/storage.usePopulator',
]);
const actedOn = /(?:^|\.)(?:kubevirt\.io|k8s\.io|kubernetes\.io|openshift\.io)\//;

function annotationRule(kind: ListedKind, path: readonly string[], isChosen: boolean): string | undefined {
  const key = path.at(-1) ?? '';
  if (podAnnotation.test(key)) return 'an annotation may not attach networks or containers to a machine';
  const isOfDisk = kind !== 'VirtualMachine' || path.includes('dataVolumeTemplates');
  if (isOfDisk && diskAnnotation.test(key) && !plainDiskAnnotations.has(key))
    return 'a disk must declare its source in its spec, not by annotations';
  const isForPeople = key.startsWith('vm.kubevirt.io/') || !actedOn.test(key);
  return isChosen && !isForPeople ? 'only the template may set that' : undefined;
}

const volumeSources: ReadonlySet<string> = new Set([
  'cloudInitConfigDrive',
  'cloudInitNoCloud',
  'configMap',
  'containerDisk',
  'dataVolume',
  'downwardAPI',
  'downwardMetrics',
  'emptyDisk',
  'ephemeral',
  'persistentVolumeClaim',
  'secret',
  'sysprep',
]);

function structureFaults({ kind, object, where }: TemplateObject): readonly RenderingFault[] {
  const { spec, type } = fields(object);
  switch (kind) {
    case 'Secret':
      return type === undefined || type === 'Opaque'
        ? []
        : [{ where: `${where} type`, message: `is ${shown(type)}; a Secret of a template is Opaque` }];
    case 'Service':
      return fields(spec)['type'] === 'ExternalName'
        ? [
            {
              where: `${where} spec.type`,
              message: 'is "ExternalName"; a Service may only lead to machines of its template',
            },
          ]
        : [];
    case 'VirtualMachine':
      return list(fields(fields(fields(spec)['template'])['spec'])['volumes'])
        .flatMap((volume) => Object.keys(fields(volume)))
        .filter((source) => source !== 'name' && !volumeSources.has(source))
        .map((source) => ({
          where: `${where} spec.template.spec.volumes`,
          message: `has a volume of the type ${shown(source)}; allowed are ${[...volumeSources].join(', ')}`,
        }));
    default:
      return [];
  }
}

interface DiskSource {
  readonly path: readonly string[];
  readonly spec: Fields;
}

function sourceFaults(draft: TemplateObject, around: Around): readonly RenderingFault[] {
  const { kind, object } = draft;
  const spec = fields(fields(object)['spec']);
  const disks: readonly DiskSource[] =
    kind === 'DataVolume'
      ? [{ path: ['spec'], spec }]
      : kind === 'VirtualMachine'
        ? list(spec['dataVolumeTemplates']).map((disk) => ({
            path: ['spec', 'dataVolumeTemplates', 'spec'],
            spec: fields(fields(disk)['spec']),
          }))
        : [];
  return disks.flatMap((disk) => diskFaults(draft, disk, around));
}

const diskSources: ReadonlySet<string> = new Set([
  'blank',
  'gcs',
  'http',
  'imageio',
  'pvc',
  'registry',
  's3',
  'snapshot',
  'upload',
  'vddk',
]);

function diskFaults(draft: TemplateObject, { path, spec }: DiskSource, around: Around): readonly RenderingFault[] {
  const { source, sourceRef } = spec;
  const odd = Object.keys(fields(source)).filter((one) => !diskSources.has(one));
  return [
    ...odd.map((one) => ({
      where: `${draft.where} ${[...path, 'source'].join('.')}`,
      message: `is of the type ${shown(one)}; allowed are ${[...diskSources].join(', ')}`,
    })),
    ...(['pvc', 'snapshot'] as const).flatMap((type) => {
      const copied = fields(source)[type];
      return copied === undefined ? [] : copyFaults(draft, [...path, 'source', type], fields(copied), around);
    }),
    ...(sourceRef === undefined ? [] : imageFaults(draft, [...path, 'sourceRef'], fields(sourceRef), around.place)),
  ];
}

/**
 * A claim or a snapshot may be cloned in the VDC if the template creates it or its author has named it; in a namespace
 * of images only if the author has named it. There, only DataSources are offered: what else is in the namespace is the
 * provider's, and a directly created VM cannot name it.
 */
function copyFaults(
  draft: TemplateObject,
  path: readonly string[],
  { namespace = '', name }: Fields,
  { place, own }: Around,
): readonly RenderingFault[] {
  const [whereLeaf, nameLeaf] = leavesAt(draft, path, { namespace, name });
  if (whereLeaf?.isOpen === true || nameLeaf?.isOpen === true) return [];
  if (typeof namespace === 'string' && place.imageNamespaces.includes(namespace)) {
    const rule = choiceRule(namespace);
    if (isFromParameter(nameLeaf)) return [sourceFault(draft, [...path, 'name'], name, nameLeaf, rule)];
    return isFromParameter(whereLeaf) ? [sourceFault(draft, [...path, 'namespace'], namespace, whereLeaf, rule)] : [];
  }
  if (namespace !== '' && namespace !== place.namespace)
    return [sourceFault(draft, [...path, 'namespace'], namespace, whereLeaf, cloneRule(place))];
  const isOwn = ['DataVolume', 'PersistentVolumeClaim'].some((kind) => own.has(`${kind} ${String(name)}`));
  if (isOwn || !isFromParameter(nameLeaf)) return [];
  const rule = 'a parameter may only name a disk that the template makes itself';
  return [sourceFault(draft, [...path, 'name'], name, nameLeaf, rule)];
}

function imageFaults(
  draft: TemplateObject,
  path: readonly string[],
  { namespace = '', name, kind = 'DataSource' }: Fields,
  place: TemplatePlace,
): readonly RenderingFault[] {
  const [whereLeaf, nameLeaf] = leavesAt(draft, path, { namespace, name });
  if (kind !== 'DataSource')
    return [sourceFault(draft, [...path, 'kind'], kind, undefined, 'a disk is made from a DataSource')];
  if (whereLeaf?.isOpen === true || nameLeaf?.isOpen === true) return [];
  const [at, called] = [String(namespace), String(name)];
  if (!place.imageNamespaces.includes(at))
    return [sourceFault(draft, [...path, 'namespace'], namespace, whereLeaf ?? nameLeaf, cloneRule(place))];
  const problem = place.imageProblem?.(at, called);
  if (problem === undefined) return [];
  const blamed = isFromParameter(nameLeaf) ? nameLeaf : whereLeaf;
  return [sourceFault(draft, [...path, 'name'], name, blamed, problem)];
}

function isFromParameter(leaf: Leaf | undefined): boolean {
  return (leaf?.chosen ?? []).length > 0;
}

function choiceRule(namespace: string): string {
  return `only the template itself may choose a claim or snapshot in ${namespace}; keep its value, or clone a DataSource (sourceRef)`;
}

function cloneRule({ imageNamespaces, setting }: TemplatePlace): string {
  const by = setting === undefined ? '' : ` (${setting})`;
  return imageNamespaces.length === 0
    ? `no boot images are offered that a disk could be cloned from${by}`
    : `disks are cloned from boot images, which are in ${imageNamespaces.join(', ')}${by}`;
}

/** The leaves that contain the two names. Several disks have the same path, and are distinguished by the value. */
function leavesAt(
  { leaves }: TemplateObject,
  path: readonly string[],
  { namespace, name }: { readonly namespace: unknown; readonly name: unknown },
): readonly [Leaf | undefined, Leaf | undefined] {
  const at = (field: string, value: unknown): Leaf | undefined => {
    const wanted = [...path, field].join('.');
    const found = leaves.filter((leaf) => leaf.value === value && leaf.path.join('.') === wanted);
    return found.find(({ chosen, isOpen }) => isOpen || chosen.length > 0) ?? found[0];
  };
  return [at('namespace', namespace), at('name', name)];
}

function sourceFault(
  draft: TemplateObject,
  path: readonly string[],
  value: unknown,
  leaf: Leaf | undefined,
  rule: string,
): RenderingFault {
  return faultAt(draft, { ...leaf, path, value, chosen: leaf?.chosen ?? [], isOpen: false }, rule);
}

const LONGEST_SHOWN = 100;

function shown(value: unknown): string {
  const text = withoutLogin(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
  return JSON.stringify((text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text).toWellFormed());
}

/** Some users write a password into an address. */
function withoutLogin(text: string): string {
  return text
    .slice(0, 10 * LONGEST_SHOWN)
    .replaceAll(/\/\/[^/\s]*@/g, '//***@')
    .replaceAll(/([?&][^=&\s]*=)[^&\s]*/g, '$1***');
}
