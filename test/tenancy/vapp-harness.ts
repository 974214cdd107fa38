/** vApps created from templates, on a cluster of the sandbox with OpenShift's templates and KubeVirt. */
import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { createLogger } from '../../packages/base/src/config/log.ts';
import {
  secrets,
  type TemplateInstance,
  templateInstances,
  templates,
  virtualMachines,
} from '../../packages/ssvirt/src/fleet/kinds.ts';
import { requestReconciliation } from '../../packages/ssvirt/src/db/work-queue/reconciliations.ts';
import type { JsonObject, Tables, TaskId, VappId, VmId } from '../../packages/ssvirt/src/db/schema/schema.ts';
import { createTask } from '../../packages/ssvirt/src/db/tasks/tasks.ts';
import { inTransaction } from '../../packages/ssvirt/src/db/connection/transaction.ts';
import { createVapp, updateVapp, type Vapp } from '../../packages/ssvirt/src/db/vapps/vapps.ts';
import type { Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import { createVm } from '../../packages/ssvirt/src/db/vms/vms.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import type { VappSpec } from '../../packages/ssvirt/src/kubevirt/tenant-vm/spec.ts';
import { startTestDatabase } from '../database/harness.ts';
import { unique } from '../database/rows.ts';
import { startFleetHarness, type FleetHarness } from '../fleet/harness.ts';
import { fixedSource, type MemberCluster } from '../fleet/sandboxes.ts';
import { TenancyHarness, type Fleets } from './harness.ts';

const core = { group: '', version: 'v1', namespaced: true };
export const configMaps: ResourceType = { ...core, kind: 'ConfigMap', plural: 'configmaps' };

/** The namespace of the template. */
export const offers = 'default';

const machine = (name: string): JsonObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name },
  spec: {
    runStrategy: 'Halted',
    template: { spec: { domain: { cpu: { cores: '${{CORES}}' }, devices: {}, memory: { guest: '1Gi' } } } },
  },
});

/** Two VMs, and another object. */
export const pair = {
  apiVersion: 'template.openshift.io/v1',
  kind: 'Template',
  metadata: { name: 'pair', namespace: offers },
  objects: [
    machine('${NAME}-web'),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${NAME}' }, data: { word: '${WORD}' } },
    machine('${NAME}-db'),
  ],
  parameters: [{ name: 'NAME', required: true }, { name: 'CORES', value: '1' }, { name: 'WORD' }],
} satisfies Unstructured;

export interface AskedVapp {
  readonly vapp: Vapp;
  readonly task: TaskId;
  readonly vms: readonly { readonly id: VmId; readonly vm_name: string }[];
}

export interface Instantiation {
  readonly id?: string;
  readonly name?: string;
  readonly prefix?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly template?: string;
  readonly powerOn?: boolean;
}

export class VappHarness<
  C extends Pick<MemberCluster, 'client'> = MemberCluster,
  F extends Fleets<C> = Fleets<C>,
> extends TenancyHarness<C, F> {
  readonly #simulators: Simulators | undefined;

  constructor(fleets: F, database: Awaited<ReturnType<typeof startTestDatabase>>, simulators?: Simulators) {
    super(fleets, database);
    this.#simulators = simulators;
  }

  static async begin(): Promise<VappHarness<MemberCluster, FleetHarness>> {
    const [fleets, database] = await Promise.all([startFleetHarness(), startTestDatabase()]);
    const log = createLogger({ level: 'error', format: 'text' });
    const simulators = await startSimulators({
      source: fixedSource(fleets.supervisor),
      name: 'supervisor',
      parts: ['kubevirt', 'templates'],
      dials: { speed: 20 },
      log,
    });
    await fleets.supervisor.client.create(templates, pair);
    return new VappHarness(fleets, database, simulators);
  }

  /** As an API request does: rows, task and reconcile request in one transaction. */
  instantiate(vdc: Vdc, asked: Instantiation = {}): Promise<AskedVapp> {
    const {
      id = randomUUID(),
      name = unique('vApp'),
      prefix = unique('m'),
      parameters = {},
      template = 'pair',
      powerOn = false,
    } = asked;
    return this.db.transaction().execute(async (tx) => {
      const machines = ['web', 'db'].map((part) => ({ vmId: randomUUID(), vmName: `${prefix}-${part}` }));
      const spec: VappSpec = {
        template: { namespace: offers, name: template },
        parameters: { NAME: prefix, ...parameters },
        machines,
        powerOn,
      };
      const row = { id: id as VappId, vdc_id: vdc.id, name, creation: 'running', spec: { ...spec } } as const;
      const vapp = await createVapp(tx, row);
      const vms: { id: VmId; vm_name: string }[] = [];
      for (const { vmId, vmName } of machines) {
        const vm = {
          id: vmId as VmId,
          vapp_id: vapp.id,
          name: vmName,
          vm_name: vmName,
          desired_state: 'present',
        } as const;
        vms.push(
          await createVm(tx, { ...vm, spec: { source: { kind: 'template' }, disks: [], networks: [], storageMb: 0 } }),
        );
      }
      return { vapp, vms, task: await this.ask(vapp, vdc, 'vappInstantiate', {}, tx) };
    });
  }

  /** Requests the deletion of the vApp with all its VMs. */
  delete(vapp: Vapp, vdc: Vdc): Promise<TaskId> {
    return this.db.transaction().execute(async (tx) => {
      await updateVapp(tx, vapp.id, { desired_state: 'absent' });
      const { rows } = await sql<{ readonly id: string }>`
        UPDATE vms SET desired_state = 'absent' WHERE vapp_id = ${vapp.id} AND deleted_at IS NULL RETURNING id
      `.execute(tx);
      for (const { id } of rows) await requestReconciliation(tx, 'vm', id, vdc.cluster);
      return this.ask(vapp, vdc, 'vappDelete', {}, tx);
    });
  }

  ask(
    vapp: Vapp,
    vdc: Vdc,
    operation: string,
    details: JsonObject = {},
    db: Kysely<Tables> = this.db,
  ): Promise<TaskId> {
    return inTransaction(db, async (tx) => {
      await requestReconciliation(tx, 'vapp', vapp.id, vdc.cluster);
      const owner = { organization_id: vapp.organization_id, owner_kind: 'vapp', owner_id: vapp.id };
      return (await createTask(tx, { ...owner, operation, details })).id;
    });
  }

  async instance({ namespace }: Vdc, { id }: Pick<Vapp, 'id'>): Promise<TemplateInstance | undefined> {
    const all = await this.cluster.client.list(templateInstances, {
      namespace,
      labelSelector: `vapp.ssvirt.io/vapp-id=${id}`,
    });
    return all.items[0];
  }

  /** Kinds and names of all objects in a namespace, without those of Kubernetes and of the VDC. */
  async objects({ namespace }: Vdc): Promise<readonly string[]> {
    const kinds: readonly ResourceType<KubeObject>[] = [virtualMachines, templateInstances, secrets, configMaps];
    const found: string[] = [];
    for (const type of kinds)
      for (const { metadata } of (await this.cluster.client.list(type, { namespace })).items)
        if (metadata.name !== 'kube-root-ca.crt') found.push(`${type.kind} ${metadata.name ?? ''}`);
    return found;
  }

  async look<T extends KubeObject>(type: ResourceType<T>, namespace: string, name: string): Promise<T | undefined> {
    return this.cluster.client.get(type, { namespace, name }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }

  async rows(id: VappId): Promise<{ readonly vapps: number; readonly vms: number; readonly works: number }> {
    const { rows } = await sql<{ vapps: number; vms: number; works: number }>`
      SELECT (SELECT count(*)::integer FROM vapps WHERE id = ${id} AND deleted_at IS NULL) AS vapps,
        (SELECT count(*)::integer FROM vms WHERE vapp_id = ${id} AND deleted_at IS NULL) AS vms,
        (SELECT count(*)::integer FROM reconciliations WHERE entity_id = ${id} OR entity_id IN (SELECT id FROM vms WHERE vapp_id = ${id})) AS works
    `.execute(this.db);
    return rows[0] ?? { vapps: -1, vms: -1, works: -1 };
  }

  override async stop(): Promise<void> {
    for (const replica of this.replicas) await replica.stop();
    await this.#simulators?.stop({ leaveRegistered: true });
    await super.stop();
  }
}
