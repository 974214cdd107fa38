/**
 * Instantiates a catalog item as a vApp. Everything is decided here: what the caller may use, the values of the
 * parameters, and the names and sizes of the VMs. Then rows, task and reconcile request are written together; no
 * cluster is called.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { CatalogItemId, Tables, VappId, VdcId, VmId } from '../../../db/schema/schema.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import { startVappTask, takenNames } from '../../../db/vapps/vapp-requests.ts';
import { createVapp, getVapp } from '../../../db/vapps/vapps.ts';
import { getVdc, type Vdc } from '../../../db/vdcs/vdcs.ts';
import { createVm } from '../../../db/vms/vms.ts';
import type { CatalogEntry } from '../../../kubevirt/catalog/entry.ts';
import { instanceName } from '../../../kubevirt/tenant-vm/names.ts';
import type { VappSpec } from '../../../kubevirt/tenant-vm/spec.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Caller } from '../../caller.ts';
import { OfferedIndex } from '../../catalogs/items/offered.ts';
import { requireAvailable } from '../../clusters/available.ts';
import type { ApiContext } from '../../deps.ts';
import { ApiError, badRequest, found } from '../../errors.ts';
import { idOf } from '../../urn.ts';
import type { StartedVapp } from '../answer.ts';
import { requireAllocation, requireEnabled, type Allocation } from '../../vdcs/allocation.ts';
import { allocationOf, createMachine } from '../../vms/create.ts';
import type { MachinePlan } from '../../vms/plan.ts';
import { newVms, requireVmQuotas } from '../../vms/user-quotas.ts';
import { planDefinition, planImage } from './image-plan.ts';
import { findItem, type FoundItem } from './item.ts';
import { entryAt, type InstantiationTarget } from './offer.ts';
import { imageFields, type InstantiationInput } from './schemas.ts';
import { templateUrls } from './template-check.ts';
import { planMachineTemplate, planTemplate, type PlannedMachine, type TemplatePlan } from './template-plan.ts';

/** Whoever creates the VM reports when it exists; until then the vApp can only wait. */
const afterMachineMs = 1_000;

/** What will be created: the VMs of a template, or one VM. */
type Plan = (
  | { readonly kind: 'template'; readonly entry: CatalogEntry; readonly template: TemplatePlan }
  | { readonly kind: 'machine'; readonly machine: MachinePlan }
) & {
  /**
   * Generated values of parameters. They are stored like given ones, and only the response to this request returns
   * them.
   */
  readonly generated: Readonly<Record<string, string>>;
};

export interface StartedInstantiation extends StartedVapp {
  readonly generated: Plan['generated'];
}

export class Instantiations {
  readonly #context: ApiContext;
  readonly #index: OfferedIndex;

  constructor(context: ApiContext) {
    this.#context = context;
    this.#index = new OfferedIndex(context.catalogSource);
  }

  async start(caller: Caller, vdcId: VdcId, asked: InstantiationInput): Promise<StartedInstantiation> {
    const { clusters, catalogSource: source } = this.#context;
    const { db } = this.#context.database;
    const vdc = found(await getVdc(db, caller.scope, vdcId));
    const item = await findItem(db, this.#index, caller, itemIdOf(asked));
    requireEnabled(vdc);
    requireAvailable(caller, clusters, vdc.cluster, `the vApp "${asked.name}" cannot be created`);
    const plan = planOf(
      caller,
      { source, cluster: vdc.cluster, name: vdc.name, namespace: vdc.namespace },
      item,
      asked,
    );
    await this.#requireImportable(plan, item);
    const started = await write(db, caller, vdcId, { plan, asked, item });
    return { ...started, generated: plan.generated };
  }

  /** An item may be older than the rules, and the host of its URL may lead elsewhere by now. */
  async #requireImportable(plan: Plan, item: FoundItem): Promise<void> {
    for (const url of urlsOf(plan, item)) {
      const refusal = await this.#context.images.check(url);
      if (refusal !== undefined)
        throw badRequest(`The image of the catalog item "${item.name}" cannot be imported: ${refusal.message}.`);
    }
  }
}

function urlsOf(plan: Plan, { offered }: FoundItem): readonly string[] {
  if (plan.kind === 'template') return templateUrls(plan.entry, plan.template.values);
  const { source } = plan.machine.spec;
  if (source.kind === 'direct') return source.boot.kind === 'url' ? [source.boot.url] : [];
  return source.kind === 'machineTemplate' && offered !== undefined
    ? templateUrls(offered.entry, source.parameters ?? {})
    : [];
}

function itemIdOf({ catalogItem, catalogItemId }: InstantiationInput): CatalogItemId {
  if ((catalogItem === undefined) === (catalogItemId === undefined))
    throw badRequest('catalogItem, catalogItemId: give exactly one of them, with the id of a listed catalog item.');
  return idOf('catalogitem', catalogItem?.id ?? catalogItemId ?? '', 'catalogItem.id');
}

function planOf(caller: Caller, place: InstantiationTarget, item: FoundItem, asked: InstantiationInput): Plan {
  if (item.definition !== undefined) return { kind: 'machine', ...planDefinition(place, item.definition, asked) };
  const entry = entryAt(caller, place, item.offered);
  if (entry.kind === 'DataSource') return { kind: 'machine', machine: planImage(place, entry, asked), generated: {} };
  requireNothingOfImages(entry, asked);
  const given = asked.parameters ?? {};
  if (entry.kind === 'Template') {
    const template = planTemplate(place, entry, given);
    return { kind: 'template', entry, template, generated: template.generated };
  }
  const { values, generated, machine } = planMachineTemplate(place, entry, given);
  return { kind: 'machine', machine: ofMachineTemplate(entry, machine, values, asked), generated };
}

function requireNothingOfImages({ name }: CatalogEntry, asked: InstantiationInput): void {
  const wrong = Object.keys(imageFields).filter((field) => Object.hasOwn(asked, field));
  if (wrong.length > 0)
    throw badRequest(
      `${wrong.join(', ')}: the template "${name}" sets this itself; leave it out and use the template's parameters.`,
    );
}

function ofMachineTemplate(
  { namespace, name, guestOs }: CatalogEntry,
  { cpus, memoryMb, storageMb, nics, instancetype }: PlannedMachine,
  parameters: TemplatePlan['values'],
  { name: called, description = '', powerOn = true }: InstantiationInput,
): MachinePlan {
  return {
    name: called,
    description,
    cpus,
    memoryMb,
    ...defined({ guestOs }),
    powerOn,
    spec: {
      source: { kind: 'machineTemplate', namespace, name, parameters },
      ...defined({ instancetype }),
      disks: [],
      networks: [],
      nics,
      ...(storageMb === null ? {} : { storageMb }),
    },
  };
}

interface Writing {
  readonly plan: Plan;
  readonly asked: InstantiationInput;
  readonly item: FoundItem;
}

function write(db: Kysely<Tables>, caller: Caller, vdcId: VdcId, writing: Writing): Promise<StartedVapp> {
  const { plan, asked, item } = writing;
  return inTransaction(db, async (tx) => {
    const vdc = await requireAllocation(tx, vdcId, takenBy(plan));
    requireEnabled(vdc);
    await requireVmQuotas(tx, newVms(caller, plan.kind === 'machine' ? 1 : plan.template.machines.length, asked));
    const id = randomUUID() as VappId;
    const machines = plan.kind === 'template' ? plan.template.machines.map((one) => ({ ...one, id: newVmId() })) : [];
    const spec = plan.kind === 'template' ? { spec: specOf(id, plan, machines, asked) } : {};
    const { name, description = '' } = asked;
    const vapp = await createVapp(tx, {
      id,
      vdc_id: vdcId,
      owner_id: caller.userId,
      name,
      description,
      creation: 'running',
      ...spec,
    });
    if (plan.kind === 'template')
      await writeMachines(tx, caller, vdc, { vappId: id, entry: plan.entry, machines, asked });
    const unknownSizes = unknownIn(plan);
    const asks = {
      operation: 'vappInstantiate',
      user_id: caller.userId,
      details: {
        catalogItem: item.name,
        powerOn: asked.powerOn ?? true,
        ...(unknownSizes.length === 0 ? {} : { unknownSizes }),
      },
    };
    const task = await startVappTask(tx, vapp, asks, plan.kind === 'machine' ? { dueInMs: afterMachineMs } : {});
    if (plan.kind === 'machine') await createMachine(tx, caller, { vdc, vapp }, plan.machine, { parent: task.id });
    await recordAudit(tx, caller, {
      action: 'vapps.instantiate',
      entity: { kind: 'vapp', id, name },
      organizationId: vdc.organization_id,
      // Never the values: they may include passwords.
      details: { vdc: vdc.name, catalogItem: item.name, parameters: Object.keys(asked.parameters ?? {}) },
    });
    return { vapp: found(await getVapp(tx, 'all', id)), task };
  });
}

type NewMachine = PlannedMachine & { readonly id: VmId };

function newVmId(): VmId {
  return randomUUID() as VmId;
}

function specOf(
  vappId: VappId,
  { entry, template }: Extract<Plan, { kind: 'template' }>,
  machines: readonly NewMachine[],
  { name, powerOn = true }: InstantiationInput,
): Record<keyof VappSpec, unknown> {
  const spec: Required<VappSpec> = {
    template: { namespace: entry.namespace, name: entry.name },
    instance: instanceName({ vappName: name, vappId }),
    parameters: template.values,
    machines: machines.map(({ id, vmName }) => ({ vmId: id, vmName })),
    powerOn,
  };
  return { ...spec };
}

async function writeMachines(
  tx: Transaction<Tables>,
  { userId }: Caller,
  vdc: Vdc,
  {
    vappId,
    entry,
    machines,
    asked: { powerOn = true },
  }: {
    readonly vappId: VappId;
    readonly entry: CatalogEntry;
    readonly machines: readonly NewMachine[];
    readonly asked: InstantiationInput;
  },
): Promise<void> {
  const names = machines.map(({ vmName }) => vmName);
  const [taken] = await takenNames(tx, vdc, names);
  if (taken !== undefined)
    throw new ApiError(
      'DUPLICATE_NAME',
      `The template "${entry.name}" would create a VM "${taken}", and the virtual data center "${vdc.name}" already has a VM of that name; give other values for its parameters.`,
    );
  for (const { id, vmName, cpus, memoryMb, storageMb, nics, instancetype } of machines)
    await createVm(tx, {
      id,
      vapp_id: vappId,
      owner_id: userId,
      name: vmName,
      vm_name: vmName,
      desired_power: powerOn ? 'on' : 'off',
      cpu_count: cpus,
      memory_mb: memoryMb,
      guest_os: entry.guestOs ?? null,
      spec: {
        source: { kind: 'template' },
        ...defined({ instancetype }),
        disks: [],
        networks: [],
        nics,
        // If it is unknown, the storage in the cluster counts as soon as it is seen.
        ...(storageMb === null ? {} : { storageMb }),
      },
    });
}

function takenBy(plan: Plan): Allocation {
  if (plan.kind === 'machine') return allocationOf(plan.machine);
  const { machines } = plan.template;
  const sum = (of: (machine: PlannedMachine) => number | null): number =>
    machines.reduce((before, machine) => before + (of(machine) ?? 0), 0);
  return {
    vms: machines.length,
    cpus: sum(({ cpus }) => cpus),
    memoryMb: sum(({ memoryMb }) => memoryMb),
    storageMb: sum(({ storageMb }) => storageMb),
    nics: sum(({ nics }) => nics),
  };
}

/** What could not be counted against the limits, since it is unknown until the VM exists. */
function unknownIn(plan: Plan): readonly string[] {
  const machines =
    plan.kind === 'template'
      ? plan.template.machines
      : [{ vmName: plan.machine.name, ...plan.machine, storageMb: plan.machine.spec.storageMb ?? null }];
  return machines.flatMap(({ vmName, cpus, memoryMb, storageMb }) => {
    const unknown = Object.entries({ cpus, memoryMb, storageMb }).filter(([, value]) => value === null);
    return unknown.length === 0 ? [] : [`${vmName}: ${unknown.map(([field]) => field).join(', ')}`];
  });
}
