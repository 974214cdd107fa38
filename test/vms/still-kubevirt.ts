/**
 * A cluster whose virt-api answers, and in which no controller reacts to writes: definitions, webhooks and subresources
 * of KubeVirt, and a virt-handler that accepts everything. VMs stay in the state that the test sets.
 */
import { pino } from 'pino';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { ObjectKey } from '../../packages/kube/src/object.ts';
import { createWorld, type CreatedWorld } from '../../packages/sandbox/src/simulators/create-world.ts';
import { simulatedDefinitions } from '../../packages/sandbox/src/simulators/crds/definitions.ts';
import { installDefinitions } from '../../packages/sandbox/src/simulators/install-definitions.ts';
import {
  kubeVirts,
  namespaces,
  nodes,
  virtualMachineInstances,
  virtualMachines,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import type { VirtHandler } from '../../packages/sandbox/src/simulators/kubevirt/virt-handler.ts';
import { noVirtHandler } from '../../packages/sandbox/src/simulators/no-virt-handler.ts';
import { parts } from '../../packages/sandbox/src/simulators/parts.ts';
import { serve, type Served } from '../../packages/sandbox/src/simulators/serving/serve.ts';
import type { Credentials } from '../cluster/cluster.ts';
import { fixedSource } from '../fleet/sandboxes.ts';

/** A VM as stored there. */
export interface Placed {
  readonly vm: VirtualMachine;
  /** Its own, if it has one. */
  readonly vmi?: VirtualMachineInstance;
  /** The instance is being deleted, and stays: a finalizer holds it. */
  readonly stops?: boolean;
}

const yes = (): Promise<void> => Promise.resolve();
const handler: VirtHandler = { ...noVirtHandler, pause: yes, unpause: yes, reset: yes, softReboot: yes };

export class StillKubeVirt {
  readonly #world: CreatedWorld;
  readonly #served: Served;

  private constructor(world: CreatedWorld, served: Served) {
    this.#world = world;
    this.#served = served;
  }

  static async start(cluster: Credentials): Promise<StillKubeVirt> {
    const world = createWorld({ name: 'still', source: fixedSource(cluster), log: pino({ level: 'error' }) });
    const { administrator: client, kubevirtNamespace: namespace, log, signal } = world;
    try {
      await installDefinitions(client, simulatedDefinitions, signal);
      await client.create(namespaces, { metadata: { name: namespace } });
      await client.create(nodes, { metadata: { name: 'node01' } });
      // Without it no caller waits for a receiver.
      const configuration = { developerConfiguration: { featureGates: ['DecentralizedLiveMigration'] } };
      await client.create(kubeVirts, { metadata: { namespace, name: 'kubevirt' }, spec: { configuration } });
      const status = { phase: 'Deployed', conditions: [{ type: 'Available', status: 'True' }] };
      await patchStatus(client, kubeVirts, { namespace, name: 'kubevirt' }, status);
      const { webhooks, apis } = parts.kubevirt;
      const served = await serve({
        client,
        webhooks: webhooks?.(world) ?? [],
        apis: apis?.(world, { handler }) ?? [],
        namespace,
        log,
        signal,
      });
      return new StillKubeVirt(world, served);
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** As virt-controller would create it. Resolves to its uid. */
  async place({ vm, vmi, stops = false }: Placed): Promise<string> {
    const client = this.#controller;
    const { namespace = '', name = '' } = vm.metadata;
    const key = { namespace, name };
    const { uid = '' } = (await this.#world.administrator.create(virtualMachines, vm)).metadata;
    await this.turn(key, vm.status ?? {});
    if (vmi !== undefined) {
      const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name, uid };
      const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
      await client.create(virtualMachineInstances, { ...vmi, metadata: { ...key, ownerReferences } });
      await client.patch(virtualMachineInstances, key, { type: 'merge', body: { status: vmi.status } });
    }
    if (stops) await client.delete(virtualMachineInstances, key);
    return uid;
  }

  /** Deletes it. It stays if a finalizer holds it. */
  async delete(key: ObjectKey): Promise<void> {
    await this.#world.administrator.delete(virtualMachines, key);
    await this.turn(key, { printableStatus: 'Terminating' });
  }

  /** Sets the status that KubeVirt reports from now on. */
  async turn(key: ObjectKey, status: object): Promise<void> {
    await patchStatus(this.#controller, virtualMachines, key, status);
  }

  async stop(): Promise<void> {
    await this.#served.close({ leaveRegistered: true });
    await this.#world.close();
  }

  get #controller(): Client {
    return this.#world.as('virt-controller').client;
  }
}

async function patchStatus(
  client: Client,
  type: Parameters<Client['patch']>[0],
  key: ObjectKey,
  status: object,
): Promise<void> {
  await client.patch(type, key, { type: 'merge', body: { status } }, { subresource: 'status' });
}
