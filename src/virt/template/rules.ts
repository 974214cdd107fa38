/**
 * What an object of a template may be and hold, once its parameters are filled in. A template is rendered with the rights of this installation, which reach
 * into every virtual data center: nothing may come of it that a virtual machine that is created directly could not have. Two kinds of rules:
 *   - of what is there, whoever wrote it: kinds of objects, sources of disks, namespaces, networks, addresses, volumes, annotations that reach a pod;
 *   - of what the caller chose by a parameter: it names objects only that this template makes, and decides on nothing that belongs to the provider, such as
 *     nodes and devices.
 * The places in the objects are those of order templates (../order/custom/positions.ts).
 */
import { fields, list, type Fields } from '../facts/reading.ts';
import { importUrlProblem, isImageReference } from '../machine/boot-source.ts';
import { isSecret } from '../catalog/parameters.ts';
import { kinds, placeAt, type ListedKind } from '../order/custom/positions.ts';
import type { TemplateFault } from './fault.ts';
import { noValues, render, type Leaf, type Rendered, type TemplateValues } from './rendering.ts';

export interface TemplatePlace {
  /** Of the virtual data center. */
  readonly namespace: string;
  /** Those that disks may be cloned from. */
  readonly imageNamespaces: readonly string[];
  /** Why a boot image in one of them cannot be used; undefined where it can. */
  readonly imageProblem?: (namespace: string, name: string) => string | undefined;
  /** What the namespace is to those who are told of faults; a virtual data center unless said. */
  readonly called?: string;
  /** The setting that names the namespaces of images, where those who are told of faults can see to it. */
  readonly setting?: string;
}

/** `TemplateObject` is an object of a kind that a template may make, with its parameters filled in. */
export interface TemplateObject extends Rendered {
  readonly where: string;
  readonly kind: ListedKind;
}

interface Around {
  readonly place: TemplatePlace;
  readonly own: ReadonlySet<string>;
}

/** `templateFaults` checks all objects of a template as they will be made. */
export function templateFaults(
  objects: readonly unknown[],
  values: TemplateValues,
  place: TemplatePlace,
): readonly TemplateFault[] {
  const faults: TemplateFault[] = [];
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

/** `objectFaults` checks all objects of a template that are filled in already. */
export function objectFaults(objects: readonly TemplateObject[], place: TemplatePlace): readonly TemplateFault[] {
  const around = { place, own: new Set(objects.flatMap(ownNames)) };
  return objects.flatMap((object) => draftFaults(object, around));
}

/** `labelFaults` checks the labels that a template gives to all of its objects. */
export function labelFaults(labels: unknown, values: TemplateValues): readonly TemplateFault[] {
  return render({ labels }, values, 'labels').faults;
}

/** `machineFaults` checks what the cluster has made, or would make: nothing of it is left to fill in. */
export function machineFaults(machine: unknown, place: TemplatePlace): readonly TemplateFault[] {
  return templateFaults([machine], noValues, place);
}

/** `toldFault` is a sentence for the caller, without the value of what may be a secret. */
export function toldFault({ where, message }: TemplateFault): string {
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

/** The parameter by which the caller chose what an object is. */
function chosenKind({ leaves }: Rendered): string | undefined {
  const typed = leaves.find(({ path, chosen }) => isTyping(path) && chosen.length > 0);
  return typed?.chosen[0];
}

function isTyping([first, ...rest]: readonly string[]): boolean {
  return rest.length === 0 && (first === 'apiVersion' || first === 'kind');
}

function kindFault(rendered: Rendered, where: string): TemplateFault {
  const { apiVersion, kind } = fields(rendered.object);
  const parameter = chosenKind(rendered);
  return {
    where,
    message: `is of the kind ${shown(kind)} of ${shown(apiVersion)}; a template may make ${Object.keys(kinds).join(', ')}, and says itself which`,
    ...(parameter === undefined ? {} : { parameter }),
  };
}

/** A DataVolume makes a claim of its name, and is named where that is meant. */
function ownNames({ kind, object }: TemplateObject): readonly string[] {
  const { metadata, spec } = fields(object);
  const disks =
    kind === 'VirtualMachine' ? list(fields(spec)['dataVolumeTemplates']).map((disk) => fields(disk)['metadata']) : [];
  const named = (of: ListedKind, meta: unknown): string => `${of} ${String(fields(meta)['name'])}`;
  return [named(kind, metadata), ...disks.map((meta) => named('DataVolume', meta))];
}

function draftFaults(draft: TemplateObject, around: Around): readonly TemplateFault[] {
  const { kind, leaves, faults } = draft;
  const texts = leaves.flatMap((leaf) => {
    const rule = leaf.isOpen ? undefined : leafRule(kind, leaf, around);
    return rule === undefined ? [] : [faultAt(draft, leaf, rule)];
  });
  return [...faults, ...texts, ...structureFaults(draft), ...sourceFaults(draft, around)];
}

function faultAt({ where }: TemplateObject, { path, value, chosen, ...leaf }: Leaf, rule: string): TemplateFault {
  const parameter = chosen[0] ?? leaf.listed?.[0];
  const hidden = leaf.isHidden === true || isSecret(parameter ?? '', String(value));
  return {
    where: `${where} ${path.join('.')}`,
    message: `is ${hidden ? 'a value that is not shown' : shown(value)}; ${rule}`,
    ...(parameter === undefined ? {} : { parameter }),
  };
}

/** What belongs to the provider: where a machine lands, and what of the nodes it gets. */
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

/** Why the text may not be there; undefined where it may. */
function leafRule(kind: ListedKind, leaf: Leaf, { place, own }: Around): string | undefined {
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
  if (isChosen && path.some((field) => providerFields.has(field))) return 'the template alone decides on that';
  const where = placeAt(kind, path);
  switch (where.takes) {
    case 'namespace':
      return namespaceRule(path, value, isChosen, place);
    case 'reference':
      return !isChosen || where.of.some((one) => own.has(`${one} ${value}`))
        ? undefined
        : `a parameter may only name a ${where.of.join(' or ') || 'thing'} that the template makes itself`;
    case 'url':
      return urlRule(value, isChosen);
    case 'image':
      return !isChosen || isImageReference(value) ? undefined : 'that is no reference of a container image';
    case 'nothing':
      return last === 'networkName' ? networkRule(value, isChosen, place) : fixedRule(last, isChosen);
    default:
      return undefined;
  }
}

/** Checked with what they are the source of. */
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
  { namespace, imageNamespaces, called = usualPlace }: TemplatePlace,
): string | undefined {
  if (value === '' || value === namespace) return undefined;
  // Of a namespace that is written out nothing is kept: all objects are made in that of the virtual data center.
  if (path.at(-2) === 'metadata') return isChosen ? `objects are made in the ${called}` : undefined;
  const isDisk = path.some((field) => field === 'dataSource' || field === 'dataSourceRef');
  if (isDisk && imageNamespaces.includes(value)) return undefined;
  return `an object may only refer to its own ${called}`;
}

function urlRule(value: string, isChosen: boolean): string | undefined {
  const [, registry] = /^docker:\/\/(.*)$/.exec(value) ?? [];
  if (registry !== undefined)
    return !isChosen || isImageReference(registry) ? undefined : 'that is no reference of a container image';
  if (!isChosen && !/^https?:/i.test(value)) return undefined;
  switch (importUrlProblem(value)) {
    case 'scheme':
      return 'that is no http://, https:// or docker:// address';
    case 'credentials':
      return 'an address may hold no credentials, which everybody who sees the disk would see';
    case 'inside':
      return 'a disk may not be imported from inside of the cluster, or of one machine alone';
    default:
      return undefined;
  }
}

/** As of a machine that is created directly: a NetworkAttachmentDefinition of the virtual data center. */
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
  return isChosen ? 'the template alone decides on that' : undefined;
}

/** By which others attach networks to the pod of a machine, or run containers in it. */
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
    return 'a disk says in its spec what it is made from, and not by annotations';
  const isForPeople = key.startsWith('vm.kubevirt.io/') || !actedOn.test(key);
  return isChosen && !isForPeople ? 'the template alone decides on that' : undefined;
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

function structureFaults({ kind, object, where }: TemplateObject): readonly TemplateFault[] {
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

function sourceFaults(draft: TemplateObject, around: Around): readonly TemplateFault[] {
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

function diskFaults(draft: TemplateObject, { path, spec }: DiskSource, around: Around): readonly TemplateFault[] {
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

/** A claim or a snapshot: one that is offered as an image, or of the virtual data center what the template makes or its author has named. */
function copyFaults(
  draft: TemplateObject,
  path: readonly string[],
  { namespace = '', name }: Fields,
  { place, own }: Around,
): readonly TemplateFault[] {
  const [whereLeaf, nameLeaf] = leavesAt(draft, path, { namespace, name });
  if (whereLeaf?.isOpen === true || nameLeaf?.isOpen === true) return [];
  if (typeof namespace === 'string' && place.imageNamespaces.includes(namespace)) return [];
  if (namespace !== '' && namespace !== place.namespace)
    return [sourceFault(draft, [...path, 'namespace'], namespace, whereLeaf, cloneRule(place))];
  const isOwn = ['DataVolume', 'PersistentVolumeClaim'].some((kind) => own.has(`${kind} ${String(name)}`));
  if (isOwn || (nameLeaf?.chosen ?? []).length === 0) return [];
  const rule = 'a parameter may only name a disk that the template makes itself';
  return [sourceFault(draft, [...path, 'name'], name, nameLeaf, rule)];
}

function imageFaults(
  draft: TemplateObject,
  path: readonly string[],
  { namespace = '', name, kind = 'DataSource' }: Fields,
  place: TemplatePlace,
): readonly TemplateFault[] {
  const [whereLeaf, nameLeaf] = leavesAt(draft, path, { namespace, name });
  if (kind !== 'DataSource')
    return [sourceFault(draft, [...path, 'kind'], kind, undefined, 'a disk is made from a DataSource')];
  if (whereLeaf?.isOpen === true || nameLeaf?.isOpen === true) return [];
  const [at, called] = [String(namespace), String(name)];
  if (!place.imageNamespaces.includes(at))
    return [sourceFault(draft, [...path, 'namespace'], namespace, whereLeaf ?? nameLeaf, cloneRule(place))];
  const problem = place.imageProblem?.(at, called);
  if (problem === undefined) return [];
  const blamed = (nameLeaf?.chosen ?? []).length > 0 ? nameLeaf : whereLeaf;
  return [sourceFault(draft, [...path, 'name'], name, blamed, problem)];
}

function cloneRule({ imageNamespaces, setting }: TemplatePlace): string {
  const by = setting === undefined ? '' : ` (${setting})`;
  return imageNamespaces.length === 0
    ? `no boot images are offered that a disk could be cloned from${by}`
    : `disks are cloned from boot images, which are in ${imageNamespaces.join(', ')}${by}`;
}

/** The leaves that the two names came from. Several disks have the same path, and are told apart by the value. */
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
): TemplateFault {
  return faultAt(draft, { ...leaf, path, value, chosen: leaf?.chosen ?? [], isOpen: false }, rule);
}

const LONGEST_SHOWN = 100;

function shown(value: unknown): string {
  const text = withoutLogin(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
  return JSON.stringify((text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text).toWellFormed());
}

/** Some write a password in an address. */
function withoutLogin(text: string): string {
  return text
    .slice(0, 10 * LONGEST_SHOWN)
    .replaceAll(/\/\/[^/\s]*@/g, '//***@')
    .replaceAll(/([?&][^=&\s]*=)[^&\s]*/g, '$1***');
}
