/** VMs in a real database and a cluster of the sandbox with KubeVirt, its nodes and its disks simulated, and fast. */
import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { dataVolumes, secrets, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { TenancySettings } from '../../packages/ssvirt/src/controllers/tenancy/engine/settings.ts';
import { requestReconciliation } from '../../packages/ssvirt/src/db/work-queue/reconciliations.ts';
import type { JsonObject, TaskId, TaskTable, VmId, VmTable } from '../../packages/ssvirt/src/db/schema/schema.ts';
import { createTask } from '../../packages/ssvirt/src/db/tasks/tasks.ts';
import { inTransaction } from '../../packages/ssvirt/src/db/connection/transaction.ts';
import { createVapp, type Vapp } from '../../packages/ssvirt/src/db/vapps/vapps.ts';
import type { Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import { createVm, getVm, updateVm, type Vm } from '../../packages/ssvirt/src/db/vms/vms.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { FAULT_ANNOTATION, type DialFault } from '../../packages/sandbox/src/simulators/dials.ts';
import { startSimulators, type PartName, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { machineTemplates } from '../../packages/sandbox/src/simulators/templates/machine-templates/kinds.ts';
import { machineName } from '../../packages/ssvirt/src/kubevirt/tenant-vm/names.ts';
import type { VmSpec } from '../../packages/ssvirt/src/kubevirt/tenant-vm/spec.ts';
import { startTestDatabase, type TestDatabase } from '../database/harness.ts';
import { setCluster, unique } from '../database/rows.ts';
import { startFleetHarness, type FleetHarness } from '../fleet/harness.ts';
import { fixedSource, type MemberCluster } from '../fleet/sandboxes.ts';
import { until } from '../runtime/until.ts';
import { TenancyHarness, type Fleets } from './harness.ts';

/** Tests write what the vm-controller would observe, so the confirmation timeout never ends a wait. */
export const machineSettings = { confirmMs: 600_000, maxWaitMs: 200 } as const;

export interface AskedMachine {
  readonly vapp: Vapp;
  readonly vm: Vm;
  readonly task: TaskId;
}

export interface NewMachine {
  readonly id?: string;
  readonly name?: string;
  readonly powerOn?: boolean;
  readonly spec?: Partial<VmSpec>;
  /** A separate vApp by default. */
  readonly vapp?: Vapp;
  readonly cpus?: number;
  readonly memoryMb?: number;
}

export interface Observation {
  readonly status: string;
  readonly fault?: string;
  readonly generation?: number;
}

export const image: VmSpec = {
  source: { kind: 'direct', boot: { kind: 'image', image: 'containerdisks/fedora:42' } },
  disks: [],
  networks: [{ name: 'default', kind: 'pod' }],
  storageMb: 0,
};

export class MachineHarness<
  C extends Pick<MemberCluster, 'client'> = MemberCluster,
  F extends Fleets<C> = Fleets<C>,
> extends TenancyHarness<C, F> {
  readonly #simulators: Pick<Simulators, 'stop'> | undefined;

  constructor(fleets: F, database: TestDatabase, simulators?: Pick<Simulators, 'stop'>) {
    super(fleets, database);
    this.#simulators = simulators;
  }

  static async begin(
    parts: readonly PartName[] = ['kubevirt', 'nodes', 'storage', 'cdi'],
  ): Promise<MachineHarness<MemberCluster, FleetHarness>> {
    const [fleets, database] = await Promise.all([startFleetHarness(), startTestDatabase()]);
    const simulators = await startSimulators({
      source: fixedSource(fleets.supervisor),
      name: 'supervisor',
      parts,
      dials: { speed: 100 },
      log: createLogger({ level: 'error', format: 'text' }),
    });
    return new MachineHarness(fleets, database, simulators);
  }

  /** Starts two replicas that work on the same rows, and resolves when both have reached the cluster. */
  async replicate(settings: Partial<TenancySettings>): Promise<void> {
    const both = [this.replica(settings), this.replica(settings)];
    const reached = (): boolean => both.every(({ fleet }) => fleet.clusters().length > 0);
    await until('the cluster is reached', reached, { deadlineMs: 60_000 });
  }

  /** As an API request does: rows, task and reconcile request in one transaction. */
  order(vdc: Vdc, asked: NewMachine = {}): Promise<AskedMachine> {
    const { name = unique('web'), powerOn = false, spec = {}, cpus = 1, memoryMb = 512 } = asked;
    return this.db.transaction().execute(async (tx) => {
      const vapp =
        asked.vapp ?? (await createVapp(tx, { vdc_id: vdc.id, name: `${name} (virtual machine)`, hidden: true }));
      const id = (asked.id ?? randomUUID()) as VmId;
      const vm = await createVm(tx, {
        id,
        vapp_id: vapp.id,
        name,
        vm_name: machineName(name, id),
        desired_power: powerOn ? 'on' : 'off',
        cpu_count: cpus,
        memory_mb: memoryMb,
        spec: { ...image, ...spec },
      });
      return { vapp, vm, task: await this.ask(vm, 'vmCreate', {}, tx) };
    });
  }

  /** A VM that another client created in the cluster, as the vm-controller discovers it. */
  async discovered(vdc: Vdc, name = unique('found')): Promise<Vm> {
    const { namespace, cluster } = vdc;
    const template = { spec: { domain: { cpu: { cores: 2 }, devices: {}, memory: { guest: '1Gi' } } } };
    await this.cluster.client.create(virtualMachines, {
      metadata: { namespace, name },
      spec: { running: false, template },
    });
    const vapp = await createVapp(this.db, { vdc_id: vdc.id, name: `${name} (found)` });
    const row = {
      vapp_id: vapp.id,
      name,
      vm_name: name,
      cluster,
      namespace,
      origin: 'discovered',
      desired_state: 'none',
    } as const;
    const { id } = await this.db.insertInto('vms').values(row).returning('id').executeTakeFirstOrThrow();
    const vm = await this.shown(id);
    await this.observe(vm, { status: 'POWERED_OFF' });
    return vm;
  }

  async orderMade(vdc: Vdc, asked: NewMachine = {}): Promise<AskedMachine> {
    const made = await this.order(vdc, asked);
    await this.ended(made.task, 'success');
    return made;
  }

  /** Creates the reconcile request and the task, together with the change of the row. */
  ask(
    vm: Pick<Vm, 'id' | 'cluster' | 'organization_id'>,
    operation: string,
    details: JsonObject = {},
    db = this.db,
    change: Parameters<typeof updateVm>[2] = {},
  ): Promise<TaskId> {
    return inTransaction(db, async (tx) => {
      if (Object.keys(change).length > 0 && (await updateVm(tx, vm.id, change)) === undefined)
        throw new Error(`${operation}: VM ${vm.id} is deleted`);
      await requestReconciliation(tx, 'vm', vm.id, vm.cluster);
      const owner = { owner_kind: 'vm', owner_id: vm.id };
      return (await createTask(tx, { organization_id: vm.organization_id, ...owner, operation, details })).id;
    });
  }

  async did(
    vm: Vm,
    operation: string,
    details: JsonObject = {},
    change: Parameters<typeof updateVm>[2] = {},
  ): Promise<Selectable<TaskTable>> {
    const task = await this.ask(vm, operation, details, this.db, change);
    await this.contact(vm);
    return this.ended(task, 'success');
  }

  delete(vm: Vm): Promise<TaskId> {
    return this.ask(vm, 'vmDelete', {}, this.db, { desired_state: 'absent' });
  }

  /** No replica works on the VM while `work` runs, as if another one had claimed it. */
  async held<T>({ id }: Pick<Vm, 'id'>, work: () => Promise<T>): Promise<T> {
    const { rows } = await sql`
      UPDATE reconciliations SET owner = 'the test', attempt = attempt + 1, lease_until = now() + interval '1 hour'
      WHERE kind = 'vm' AND entity_id = ${id} RETURNING entity_id
    `.execute(this.db);
    if (rows.length === 0) throw new Error(`VM ${id} has no work that could be held`);
    try {
      return await work();
    } finally {
      await sql`
        UPDATE reconciliations SET owner = NULL, lease_until = NULL, due_at = now() WHERE kind = 'vm' AND entity_id = ${id}
      `.execute(this.db);
    }
  }

  vmRow(id: VmId): Promise<Selectable<VmTable>> {
    return this.db.selectFrom('vms').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  async shown(id: VmId): Promise<Vm> {
    const vm = await getVm(this.db, 'all', id);
    if (vm === undefined) throw new Error(`there is no machine ${id}`);
    return vm;
  }

  /** Undefined if there is none. */
  machine(vm: Pick<Vm, 'namespace' | 'vm_name'>): Promise<Unstructured | undefined> {
    return this.look(virtualMachines, vm.namespace, vm.vm_name);
  }

  async status(vm: Pick<Vm, 'namespace' | 'vm_name'>): Promise<string> {
    const found = await this.machine(vm);
    return String((found?.['status'] as JsonObject | undefined)?.['printableStatus'] ?? '');
  }

  async reaches(vm: Pick<Vm, 'namespace' | 'vm_name'>, status: string): Promise<void> {
    const isThere = async (): Promise<boolean> => {
      const now = await this.status(vm);
      if (now === status) return true;
      throw new Error(`it is ${now}`);
    };
    await until(`it is ${status}`, isThere, { deadlineMs: 60_000 });
  }

  async look<T extends KubeObject>(type: ResourceType<T>, namespace: string, name: string): Promise<T | undefined> {
    return this.cluster.client.get(type, { namespace, name }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }

  /** Kinds and names of all objects that VMs leave in a namespace. */
  async left({ namespace }: Vdc): Promise<readonly string[]> {
    const found: string[] = [];
    for (const type of [virtualMachines, secrets, dataVolumes] as readonly ResourceType<KubeObject>[])
      for (const { metadata } of (await this.cluster.client.list(type, { namespace })).items)
        found.push(`${type.kind} ${metadata.name ?? ''}`);
    return found;
  }

  /** Sets the fault that the simulators play on the VM from now on. */
  async afflict({ namespace, vm_name }: Vm, fault: DialFault): Promise<void> {
    const body = { metadata: { annotations: { [FAULT_ANNOTATION]: fault } } };
    await this.cluster.client.patch(virtualMachines, { namespace, name: vm_name }, { type: 'merge', body });
  }

  /** Creates a KubeVirt template in the namespace default: a VM with a memory parameter, with `more` in its spec. */
  async offerTemplate(name: string, more: JsonObject = {}): Promise<void> {
    const domain = { devices: {}, memory: { guest: '${MEMORY}' } };
    const machine = {
      metadata: { name: '${NAME}' },
      spec: { runStrategy: 'Always', template: { spec: { domain } }, ...more },
    };
    const parameters = [{ name: 'NAME', required: true }, { name: 'SOURCE' }, { name: 'MEMORY', value: '1Gi' }];
    const metadata = { namespace: 'default', name };
    await this.cluster.client.create(machineTemplates, { metadata, spec: { virtualMachine: machine, parameters } });
  }

  /** The number of reconcile requests for it. */
  async works(id: VmId): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::integer AS n FROM reconciliations WHERE entity_id = ${id}
    `.execute(this.db);
    return rows[0]?.n ?? 0;
  }

  /** Writes an observation as the vm-controller would. */
  async observe(vm: Vm, { status, fault, generation = 1_000 }: Observation): Promise<void> {
    const uid = (await this.machine(vm))?.metadata.uid ?? null;
    await sql`
      INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, generation, status, fault, epoch, sequence)
      VALUES (${vm.id}, ${vm.cluster}, ${vm.namespace}, ${vm.vm_name}, ${uid}, ${generation}, ${status}, ${fault ?? null}, 1, 1)
      ON CONFLICT (vm_id) DO UPDATE SET status = excluded.status, fault = excluded.fault, generation = excluded.generation, status_changed_at = now(), observed_at = now()
    `.execute(this.db);
  }

  /** As the vm-controller does every few seconds: the cluster was reached, and its observations are current. */
  contact({ cluster }: Pick<Vm, 'cluster'>): Promise<void> {
    return setCluster(this.db, { name: cluster, state: 'synced' });
  }

  override async stop(): Promise<void> {
    for (const replica of this.replicas) await replica.stop();
    await this.#simulators?.stop({ leaveRegistered: true });
    await super.stop();
  }
}
