/**
 * Plans a VM from a boot image or from a catalog's own item: the item gives the defaults, the request overrides them.
 * `${NAME}` in the data for the guest, the item's or the request's, is replaced by the value of the item's parameter;
 * other references belong to the guest and stay.
 */
import type { CatalogEntry } from '../../../kubevirt/catalog/entry.ts';
import { parametersOf } from '../../../kubevirt/catalog/parameters.ts';
import { resolveValues } from '../../../kubevirt/catalog/values.ts';
import type { DefinitionInput } from '../../catalogs/items/definition-schema.ts';
import { asTemplateParameters } from '../../catalogs/items/render.ts';
import type { NewMachineInput } from '../../vms/new-vm.ts';
import { planMachine, type MachinePlan } from '../../vms/plan.ts';
import type { InstantiationTarget } from './offer.ts';
import type { InstantiationInput } from './schemas.ts';
import { refuse } from './template-plan.ts';

type Usual = Pick<
  DefinitionInput,
  'image' | 'dataSource' | 'url' | 'instancetype' | 'preference' | 'cpus' | 'memoryMb' | 'diskSizeGb' | 'cloudInit'
>;

/** A boot image has no parameters. */
export function planImage(place: InstantiationTarget, entry: CatalogEntry, asked: InstantiationInput): MachinePlan {
  refuse(resolveValues([], asked.parameters ?? {}).problems);
  const { namespace, name, instancetype, instancetypeKind, preference, preferenceKind, guestOs } = entry;
  const usual: Usual = {
    dataSource: { namespace, name },
    // A namespaced instance type does not exist in the namespace of the VM.
    ...(instancetype === undefined || isNamespaced(instancetypeKind) ? {} : { instancetype }),
    ...(preference === undefined || isNamespaced(preferenceKind) ? {} : { preference }),
  };
  return withGuest(planMachine(place, machineOf(usual, asked)), guestOs);
}

export function planDefinition(
  place: InstantiationTarget,
  definition: DefinitionInput,
  asked: InstantiationInput,
): { readonly machine: MachinePlan; readonly generated: Readonly<Record<string, string>> } {
  const { shown } = parametersOf(asTemplateParameters(definition.parameters ?? []));
  const needed = new Set(shown.map(({ name }) => name));
  const { values, generated, problems } = resolveValues(shown, asked.parameters ?? {}, { needed });
  refuse(problems);
  const machine = machineOf(definition, asked);
  const { cloudInit } = machine;
  const filled = cloudInit === undefined ? {} : { cloudInit: filledIn(cloudInit, values) };
  return { machine: withGuest(planMachine(place, { ...machine, ...filled }), definition.guestOs), generated };
}

function machineOf(usual: Usual, asked: InstantiationInput): NewMachineInput {
  const { image, dataSource, url } = usual;
  const { name, description, powerOn, networks, sshKeys } = asked;
  const cloudInit = usual.cloudInit === undefined ? asked.cloudInit : { ...usual.cloudInit, ...asked.cloudInit };
  return defined({
    name,
    description,
    powerOn,
    networks,
    sshKeys,
    cloudInit,
    image,
    dataSource,
    url,
    ...sizeOf(usual, asked),
    preference: asked.preference ?? usual.preference,
    // A container disk has a fixed size.
    diskSizeGb: asked.diskSizeGb ?? (image === undefined ? usual.diskSizeGb : undefined),
  });
}

/**
 * An instance type is never mixed with CPUs or memory: if the request gives one of them, the other of the item is
 * ignored.
 */
function sizeOf(usual: Usual, asked: InstantiationInput): Pick<Usual, 'cpus' | 'memoryMb' | 'instancetype'> {
  const { cpus, memoryMb, instancetype } = asked;
  if (instancetype !== undefined) return defined({ instancetype, cpus, memoryMb });
  if ((cpus ?? memoryMb) === undefined && usual.instancetype !== undefined) return { instancetype: usual.instancetype };
  return defined({ cpus: cpus ?? usual.cpus, memoryMb: memoryMb ?? usual.memoryMb });
}

function filledIn(
  cloudInit: NonNullable<NewMachineInput['cloudInit']>,
  values: Readonly<Record<string, string>>,
): NonNullable<NewMachineInput['cloudInit']> {
  const filled = (text: string): string =>
    text.replaceAll(/\$\{([A-Za-z0-9_]+)\}/g, (reference, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? reference) : reference,
    );
  return Object.fromEntries(Object.entries(cloudInit).map(([key, text]) => [key, filled(text)]));
}

function withGuest(plan: MachinePlan, guestOs: string | undefined): MachinePlan {
  return guestOs === undefined || guestOs === '' ? plan : { ...plan, guestOs };
}

function isNamespaced(kind: string | undefined): boolean {
  return kind !== undefined && !kind.startsWith('VirtualMachineCluster');
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
