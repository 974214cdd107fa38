/**
 * Plans what a template will create with the given values: names and sizes of its VMs, all checked before anything is
 * written.
 */
import type { CatalogEntry, MachineShape } from '../../../kubevirt/catalog/entry.ts';
import { nameWith, sizesWith, storageClassWith } from '../../../kubevirt/catalog/machine-shape.ts';
import { referencesIn, resolveValues, withDefaults, type ValueProblem } from '../../../kubevirt/catalog/values.ts';
import type { Matcher } from '../../../kubevirt/tenant-vm/spec.ts';
import { badRequest, conflict } from '../../errors.ts';
import { requireDefaultStorageClass, storageClassProblem } from '../../vms/storage-classes.ts';
import type { InstantiationTarget } from './offer.ts';
import { checkTemplate } from './template-check.ts';

export interface PlannedMachine {
  /** The name in the template; empty if we choose the name. */
  readonly vmName: string;
  /** Null if it is unknown before the VM exists. */
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly storageMb: number | null;
  /** Network cards. */
  readonly nics: number;
  readonly instancetype?: Matcher;
}

export interface TemplatePlan {
  /** The values to send to the cluster. */
  readonly values: Readonly<Record<string, string>>;
  /** The generated ones among them: returned once. */
  readonly generated: Readonly<Record<string, string>>;
  readonly machines: readonly PlannedMachine[];
}

/** For templates of OpenShift: the template names its VMs. */
export function planTemplate(
  place: InstantiationTarget,
  entry: CatalogEntry,
  given: Readonly<Record<string, unknown>>,
): TemplatePlan {
  requireWhole(entry);
  const needed = referencesIn(entry.machines.map(({ name }) => name));
  const { values, generated, problems } = resolveValues(entry.parameters, given, { needed });
  refuse(problems);
  const all = withDefaults(entry.parameters, values);
  const machines = entry.machines.map((shape) => ({ vmName: nameOf(entry, shape, all), ...sizeOf(place, shape, all) }));
  requireDistinct(entry, machines);
  checkStorageClasses(place, entry, all);
  checkTemplate(place, entry, given, values);
  return { values, generated, machines };
}

/** For templates of KubeVirt: one VM, and we choose its name. */
export function planMachineTemplate(
  place: InstantiationTarget,
  entry: CatalogEntry,
  given: Readonly<Record<string, unknown>>,
): Omit<TemplatePlan, 'machines'> & { readonly machine: PlannedMachine } {
  requireWhole(entry);
  const { values, generated, problems } = resolveValues(entry.parameters, given);
  refuse(problems);
  const [shape = { name: '' }] = entry.machines;
  const all = withDefaults(entry.parameters, values);
  checkStorageClasses(place, entry, all);
  checkTemplate(place, entry, given, values);
  return { values, generated, machine: { vmName: '', ...sizeOf(place, shape, all) } };
}

export function refuse(problems: readonly ValueProblem[]): void {
  if (problems.length === 0) return;
  throw badRequest(
    problems
      .slice(0, 10)
      .map(({ field, message }) => `${field}: ${message}.`)
      .join(' '),
  );
}

function requireWhole({ name, machines, vmCount }: CatalogEntry): void {
  if (machines.length === vmCount) return;
  throw conflict(
    `The template "${name}" creates ${vmCount} VMs, which is more than one request can create; split it, or choose another.`,
  );
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const longest = 63;

function nameOf({ name: template }: CatalogEntry, shape: MachineShape, values: ReadonlyMap<string, string>): string {
  const name = nameWith(shape, values);
  if (name !== undefined && name.length <= longest && label.test(name)) return name;
  const [parameter] = referencesIn([shape.name]);
  const shown = name === undefined ? 'empty' : JSON.stringify(name.slice(0, 100));
  if (parameter === undefined)
    throw conflict(
      `The template "${template}" cannot be used here: the name of a VM would be ${shown}, but must be a DNS label of at most ${longest} characters.`,
    );
  throw badRequest(
    `parameters.${parameter}: the name of a VM would be ${shown}, but must consist of lower-case letters, digits and "-", at most ${longest} characters.`,
  );
}

function requireDistinct({ name }: CatalogEntry, machines: readonly PlannedMachine[]): void {
  const names = machines.map(({ vmName }) => vmName);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined)
    throw badRequest(
      `parameters: two VMs of the template "${name}" would have the name "${twice}"; give other values, or choose another template.`,
    );
}

/**
 * A problem is reported on the parameter that names the class; if none does, only the provider can fix the template.
 */
function checkStorageClasses(
  place: InstantiationTarget,
  entry: CatalogEntry,
  values: ReadonlyMap<string, string>,
): void {
  const classes = place.source.storageClasses(place.cluster);
  for (const raw of entry.machines.flatMap(({ storageClasses = [] }) => storageClasses)) {
    const name = storageClassWith(raw, values);
    if (name === undefined || name === '') continue;
    if (raw === null || name === null) {
      requireDefaultStorageClass(place, `A disk of the template "${entry.name}"`);
      continue;
    }
    const problem = storageClassProblem(classes, name);
    if (problem === undefined) continue;
    const [parameter] = referencesIn([raw]);
    if (parameter !== undefined) throw badRequest(`parameters.${parameter}: ${problem}.`);
    throw conflict(
      `The template "${entry.name}" cannot be used here: it needs the storage class "${name}", which the virtual data center does not have; choose another template, or ask the provider.`,
    );
  }
}

const MIB = 2 ** 20;
const ofCluster: ReadonlySet<string> = new Set(['', 'VirtualMachineClusterInstancetype']);

function sizeOf(
  place: InstantiationTarget,
  shape: MachineShape,
  values: ReadonlyMap<string, string>,
): Omit<PlannedMachine, 'vmName'> {
  const { cpuCount, memoryBytes, storageBytes, instancetype, instancetypeKind = '' } = sizesWith(shape, values);
  const { nics = 1 } = shape;
  const storageMb = storageBytes === undefined ? null : Math.ceil(storageBytes / MIB);
  if (instancetype !== undefined) {
    const isOfCluster = ofCluster.has(instancetypeKind);
    const size = isOfCluster ? sizeOfType(place, instancetype) : unknown;
    const kind = isOfCluster ? {} : { kind: instancetypeKind };
    return { ...size, storageMb, nics, instancetype: { name: instancetype, ...kind } };
  }
  const memoryMb = memoryBytes === undefined ? null : Math.max(1, Math.ceil(memoryBytes / MIB));
  return { cpus: cpuCount ?? null, memoryMb, storageMb, nics };
}

const unknown = { cpus: null, memoryMb: null } as const;

/** The size is unknown if the instance types of the cluster cannot be read; it is seen when the VM exists. */
function sizeOfType(
  { source, cluster, name }: InstantiationTarget,
  type: string,
): Pick<PlannedMachine, 'cpus' | 'memoryMb'> {
  const found = source.instancetype(cluster, type);
  if (found !== undefined) return { cpus: found.cpus, memoryMb: found.memoryMb };
  if (!source.known(cluster)) return unknown;
  throw conflict(
    `The template needs the instance type "${type}", which the virtual data center "${name}" does not offer; give other values for its parameters, or choose another template.`,
  );
}
