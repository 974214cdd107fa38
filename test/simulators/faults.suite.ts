/**
 * Each fault, by dial and by annotation, on a sandbox: the states and events of the real KubeVirt, and recovery when
 * the fault is lifted.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { DIALS } from '../../packages/sandbox/src/simulators/dial-keeper.ts';
import { FAULT_ANNOTATION } from '../../packages/sandbox/src/simulators/dials.ts';
import * as kinds from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { configMaps } from '../../packages/sandbox/src/simulators/serving/front-proxy.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { fixedSource, startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { stateOf, stateText } from '../kubevirt/states.ts';
import { missingRecordings, readScenario } from '../kubevirt/transcripts.ts';
import { Watching } from '../kubevirt/watching.ts';
import { until } from '../runtime/until.ts';
import { faultCases, type FaultCase, type Scene } from './fault-cases.ts';

type How = 'annotation' | 'dial';

const quotas: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};
const VM = 'vm1';
const CLAIM = 'data';
const WITHIN = { deadlineMs: 40_000 };

/**
 * Records what was seen in a namespace: states in the form of the recordings, Events, and conditions of DataVolumes.
 */
class Diary {
  readonly lines: string[] = [];

  write(kind: string, object: JsonObject): void {
    if (kind === 'Event') return this.#add(eventText(object));
    this.#add(`${kind} ${stateText(stateOf(kind, object))}`);
    const { conditions = [] } = (object['status'] ?? {}) as { readonly conditions?: readonly kinds.Condition[] };
    if (kind === 'DataVolume')
      for (const { type, status, reason = '' } of conditions) this.#add(`${kind} ${type}=${status}/${reason}`);
  }

  #add(line: string): void {
    if (this.lines.at(-1) !== line) this.lines.push(line);
  }

  /** Searches from a line on. Guests in the recordings had no connected agent. */
  has(wanted: string | RegExp, from = 0): boolean {
    return this.lines
      .slice(from)
      .some((line) =>
        typeof wanted === 'string' ? line.replace(/AgentConnected=True ?/, '') === wanted : wanted.test(line),
      );
  }
}

function eventText(event: JsonObject): string {
  const { kind = '' } = (event['involvedObject'] ?? {}) as { readonly kind?: string };
  return `${kind} ${String(event['type'])} ${String(event['reason'])}: ${String(event['message'])}`;
}

function machine(namespace: string, { disk, claim }: Scene, annotations: Record<string, string>): kinds.VirtualMachine {
  const volumes: readonly kinds.Volume[] = [
    { name: 'root', containerDisk: { image: 'fedora:demo' } },
    ...(disk === true ? [{ name: 'disk', dataVolume: { name: `${VM}-disk` } }] : []),
    ...(claim === undefined ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: CLAIM } }]),
  ];
  const template = {
    metadata: { name: `${VM}-disk` },
    spec: {
      source: { http: { url: 'https://images.example.com/fedora.qcow2' } },
      storage: { resources: { requests: { storage: '1Gi' } } },
    },
  };
  return {
    metadata: { namespace, name: VM, annotations },
    spec: {
      runStrategy: 'Always',
      ...(disk === true && { dataVolumeTemplates: [template] }),
      template: {
        spec: {
          domain: {
            devices: {
              disks: volumes.map(({ name }) => ({ name, disk: { bus: 'virtio' } })),
              interfaces: [{ name: 'default', masquerade: {} }],
            },
            memory: { guest: '128Mi' },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes,
        },
      },
    },
  };
}

function claimIn(namespace: string, annotations: Record<string, string>): kinds.PersistentVolumeClaim {
  return {
    metadata: { namespace, name: CLAIM, annotations },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      resources: { requests: { storage: '1Gi' } },
    },
  };
}

describe('faults', { concurrency: true }, () => {
  let cluster: MemberCluster;
  let simulators: Simulators;
  const watching = new Watching();
  const dialled = new Set<string>();
  let turning: Promise<void> = Promise.resolve();

  before(async () => {
    cluster = await startMemberCluster('faults');
    simulators = await startSimulators({
      source: fixedSource(cluster),
      name: 'faults',
      parts: ['kubevirt', 'nodes', 'storage', 'cdi'],
      dials: { speed: 40, agentMs: 5000 },
      log: createLogger({ level: 'error', format: 'text' }),
    });
    await watching.start(cluster.client);
  });
  after(async () => {
    await watching.stop();
    await simulators?.stop({ leaveRegistered: true });
    await cluster?.stop();
  });

  /** Turns run one at a time, since the dial holds all faults. */
  const turn = (change: () => void): Promise<void> => {
    const before = turning;
    turning = (async () => {
      await before;
      change();
      const faults = dialled.size === 0 ? '[]' : [...dialled].map((fault) => `- ${fault}\n`).join('');
      await cluster.client.patch(configMaps, DIALS, { type: 'merge', body: { data: { faults } } });
      await until('the dial is turned', () => simulators.world.dials.faults.length === dialled.size);
    })();
    return turning;
  };

  const put = async (namespace: string, verb: string): Promise<void> => {
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${VM}/${verb}`;
    await cluster.client.request({ method: 'PUT', path, body: {} });
  };
  const runs = (namespace: string): Promise<void> =>
    until(
      'it runs',
      async () => {
        const { status } = await cluster.client.get(kinds.virtualMachines, { namespace, name: VM });
        return status?.printableStatus === 'Running' && status.ready === true;
      },
      WITHIN,
    );
  const request = async (namespace: string, verb: Scene['asked']): Promise<void> => {
    if (verb === undefined) return;
    await runs(namespace);
    await put(namespace, verb);
  };

  async function suffer({ trouble, scene }: FaultCase, how: How, namespace: string): Promise<void> {
    const { client } = cluster;
    const annotations: Record<string, string> = how === 'annotation' ? { [FAULT_ANNOTATION]: trouble } : {};
    await client.create(kinds.namespaces, { metadata: { name: namespace } });
    if (scene.quota !== undefined)
      await client.create(quotas, { metadata: { namespace, name: 'q' }, spec: { hard: scene.quota } });
    else if (trouble !== 'missing-claim' && how === 'dial') {
      const name = scene.claim === 'there' ? CLAIM : VM;
      await turn(() => void dialled.add(`${trouble},${namespace}/${name}`));
    }
    if (scene.claim === 'there') await client.create(kinds.persistentVolumeClaims, claimIn(namespace, annotations));
    await client.create(kinds.virtualMachines, machine(namespace, scene, annotations));
    await request(namespace, scene.asked);
  }

  async function lift({ trouble, scene }: FaultCase, how: How, namespace: string): Promise<void> {
    const { client } = cluster;
    const without = { type: 'merge', body: { metadata: { annotations: { [FAULT_ANNOTATION]: null } } } } as const;
    if (trouble === 'missing-claim') await client.create(kinds.persistentVolumeClaims, claimIn(namespace, {}));
    else if (scene.quota !== undefined) await client.delete(quotas, { namespace, name: 'q' });
    else if (how === 'dial')
      await turn(() => {
        for (const fault of dialled) if (fault.includes(`,${namespace}/`)) dialled.delete(fault);
      });
    else {
      if (scene.claim === 'there')
        await client.patch(kinds.persistentVolumeClaims, { namespace, name: CLAIM }, without);
      await client.patch(kinds.virtualMachines, { namespace, name: VM }, without);
    }
    if (scene.asked === 'stop') await put(namespace, 'start');
    await request(namespace, scene.asked);
  }

  for (const one of faultCases)
    for (const how of one.trouble === 'quota' || one.trouble === 'missing-claim'
      ? (['dial'] as const)
      : (['annotation', 'dial'] as const)) {
      const given = one.trouble === 'quota' || one.trouble === 'missing-claim' ? '' : ` (${one.trouble}, by ${how})`;
      test(`${one.name}${given}: it shows as in KubeVirt, and heals`, async () => {
        const namespace = `${how}-${one.name.replaceAll(/\W+/g, '-').toLowerCase()}`;
        const diary = new Diary();
        const close = watching.observe(namespace, (_, kind, object) => diary.write(kind, object));
        await suffer(one, how, namespace);
        for (const wanted of [...one.states, ...(one.said ?? []), ...one.events])
          await until(`${String(wanted)} is seen`, () => diary.has(wanted), WITHIN).catch((error: unknown) => {
            throw new Error(`${String(wanted)} is not among\n${diary.lines.join('\n')}`, { cause: error });
          });
        const { never } = one;
        if (never !== undefined) assert.ok(!diary.has(never), `${String(never)} is among\n${diary.lines.join('\n')}`);
        const before = diary.lines.length;
        await lift(one, how, namespace);
        const healed =
          one.healed ?? /^VirtualMachine Running created ready (?!.*(Failure=|Synchronized=|PodScheduled=))/;
        await until(`${String(healed)} is seen`, () => diary.has(healed, before - 1), WITHIN).catch(
          (error: unknown) => {
            throw new Error(`${String(healed)} is not among\n${diary.lines.slice(before).join('\n')}`, {
              cause: error,
            });
          },
        );
        close();
        await cluster.client.delete(kinds.virtualMachines, { namespace, name: VM });
      });
    }
});

test('what a fault is said to show is what was recorded', { skip: missingRecordings() ?? false }, () => {
  for (const { name, recording, states, events } of faultCases) {
    if (recording === undefined) continue;
    const lines = readScenario(recording)
      .steps.flatMap(({ events: seen }) => seen)
      .map(({ kind, after: object }) =>
        kind === 'Event' ? eventText(object) : `${kind} ${stateText(stateOf(kind, object))}`,
      );
    for (const state of states) assert.ok(lines.includes(state), `${name}: ${state} is not in ${recording}`);
    for (const text of events)
      assert.ok(
        lines.some((line) => text.test(line)),
        `${name}: ${text} is not in ${recording}`,
      );
  }
});
