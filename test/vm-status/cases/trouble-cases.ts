/**
 * VMs that cannot start: the tenant learns the reason at once, the row becomes FAILED after its time, and it heals by
 * itself.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { persistentVolumeClaims } from '../../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { until } from '../../runtime/until.ts';
import { claimOf, create, mendFault, quotas, type Wish } from '../machines.ts';
import type { ShownVm } from '../rows.ts';
import type { Scene } from '../scene.ts';

interface TroubleCase {
  readonly name: string;
  readonly wish?: Partial<Wish>;
  readonly quota?: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly sentence: RegExp;
  /** How long it takes to count as a failure; none by default. */
  readonly patienceMs?: number;
  readonly mend?: (client: Client, namespace: string) => Promise<unknown>;
}

const dropQuota = (client: Client, namespace: string): Promise<unknown> =>
  client.delete(quotas, { namespace, name: 'gold' });

const troubleCases: readonly TroubleCase[] = [
  {
    name: 'no node has room',
    wish: { fault: 'unschedulable' },
    reason: 'NO_ROOM',
    sentence: /^No node has room for it: .*too little memory/,
    patienceMs: 300_000,
  },
  {
    name: 'its disk cannot be imported',
    wish: { fault: 'import-fails', disk: true },
    reason: 'IMPORT_FAILED',
    sentence: /^Its disk "disk" (could not be filled|has failed to fill)/,
    patienceMs: 30_000,
  },
  {
    name: 'it crashes at every start',
    wish: { fault: 'crash-loop' },
    reason: 'CRASH_LOOP',
    sentence: /^It has failed to start (once|\d+ times)/,
  },
  {
    name: 'its image cannot be pulled',
    wish: { fault: 'image-pull-error' },
    reason: 'IMAGE_UNAVAILABLE',
    sentence: /cannot be downloaded: check that it exists and may be read\.$/,
  },
  {
    name: 'a quota has no room for its pod',
    quota: { 'requests.memory': '1Mi' },
    reason: 'QUOTA_EXCEEDED',
    sentence:
      /^The quota "gold" of its virtual data center has no room for it \(memory: needs .*, .* of 1 MiB in use\)/,
    patienceMs: 60_000,
    mend: dropQuota,
  },
  {
    name: 'a quota has no room for its instance',
    quota: { 'count/virtualmachineinstances.kubevirt.io': '0' },
    reason: 'QUOTA_EXCEEDED',
    sentence: /^The quota "gold" .* \(running machines: needs 1, 0 of 0 in use\)/,
    patienceMs: 60_000,
    mend: dropQuota,
  },
  {
    name: 'a disk that it names is not there',
    wish: { claim: 'data' },
    reason: 'DISK_MISSING',
    sentence: /^Its disk "data" does not exist: create it, or take it off the machine\.$/,
    patienceMs: 60_000,
    mend: (client, namespace) => client.create(persistentVolumeClaims, claimOf(namespace, 'data')),
  },
];

/**
 * Resolves when the quota is counted. A real controller learns of new kinds only every half minute, and counts such a
 * quota only when the quota is new, so it is created again until it is counted.
 */
async function placeQuota(client: Client, namespace: string, hard: Readonly<Record<string, string>>): Promise<void> {
  const key = { namespace, name: 'gold' };
  const isCounted = async (): Promise<boolean> => {
    const { status } = (await client.get(quotas, key)) as { status?: { used?: object } };
    return Object.keys(hard).every((one) => Object.hasOwn(status?.used ?? {}, one));
  };
  await until(
    'the quota is counted',
    async () => {
      await client.create(quotas, { metadata: key, spec: { hard } });
      try {
        await until('it is counted', isCounted, { deadlineMs: 3000, everyMs: 20 });
        return true;
      } catch (error) {
        await client.delete(quotas, key);
        throw error;
      }
    },
    { deadlineMs: 120_000 },
  );
}

export function troubleTests(scene: () => Scene): void {
  for (const one of troubleCases)
    test(`a machine that cannot start, since ${one.name}, says so, and runs when that is mended`, async () => {
      const { rows, client, clock } = scene();
      const { namespace, vapp } = await scene().place('trouble');
      if (one.quota !== undefined) await placeQuota(client, namespace, one.quota);
      await create(client, { namespace, vappId: vapp.id, ...one.wish });
      const says = (row: ShownVm | undefined): boolean =>
        row?.fault_reason === one.reason && one.sentence.test(row.fault ?? '');
      await rows.until('the tenant is told', namespace, ([row]) => says(row));
      if (one.patienceMs !== undefined) clock.leap(one.patienceMs);
      const [failed] = await rows.until('it fails', namespace, ([row]) => row?.status === 'FAILED' && says(row));
      await (one.mend ?? mendFault)(client, namespace);
      const running = await rows.status(namespace, 'POWERED_ON');
      assert.deepEqual([running.id, running.fault_reason, running.fault], [failed?.id, null, null]);
    });
}
