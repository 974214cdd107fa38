/**
 * Each of the 17 KubeVirt states × each power operation, by real requests: the answer, the requests to the cluster, and
 * the outcome of the task. Each cell has its own VM, in a cluster without KubeVirt controllers, so the VM stays in its
 * state.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { sql, type RawBuilder } from 'kysely';
import { urnOf } from '../../packages/ssvirt/src/api/urn.ts';
import { virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import type { JsonObject, VmId } from '../../packages/ssvirt/src/db/schema/schema.ts';
import { createVapp } from '../../packages/ssvirt/src/db/vapps/vapps.ts';
import type { Vdc } from '../../packages/ssvirt/src/db/vdcs/vdcs.ts';
import { createVm } from '../../packages/ssvirt/src/db/vms/vms.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { isReached, powerPlan, type PowerStep } from '../../packages/ssvirt/src/kubevirt/power/plan.ts';
import { printableStatuses, type PrintableStatus } from '../../packages/ssvirt/src/kubevirt/power/statuses.fixture.ts';
import { powerOperations, type PowerOperation } from '../../packages/ssvirt/src/kubevirt/power/table.ts';
import type { Answer, Person } from '../api/harness.ts';
import { putConfig } from '../fleet/harness.ts';
import { startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { inParallel } from '../kubevirt/in-parallel.ts';
import { until } from '../runtime/until.ts';
import { ClusterProxy } from '../tenancy/crash/cluster-proxy.ts';
import { passing, type Fate, type Step } from '../tenancy/crash/step.ts';
import { Installation } from './harness.ts';
import { machineIn } from './states.ts';
import { StillKubeVirt } from './still-kubevirt.ts';

/**
 * `409` is followed by the reason. In other cells the answer is 202, and the cell shows the requests to the cluster (a
 * capitalized word is the run strategy that was written, a word with a slash the subresource that was called), and then
 * what the task does: it waits for KubeVirt, is done, or ends in an error. A VM that is in the requested state is sent
 * nothing. Troubles from which KubeVirt often recovers (DataVolumeError,
 * ErrorPvcNotFound, ErrorUnschedulable, ErrImagePull) show as POWERING_ON at first, and this table has that status; the
 * other two are FAILED at once. A VM that has failed before gets no time to recover here.
 */
const table = `
                        | shown        | powerOn              | powerOff           | shutdown      | reset         | reboot           | suspend       | resume
Terminating             | DELETING     | 409 deleted          | 409 deleted        | 409 deleted   | 409 deleted   | 409 deleted      | 409 deleted   | 409 deleted
Stopping                | POWERING_OFF | RerunOnFailure waits | /stop waits        | waits         | 409 stopping  | 409 stopping     | 409 stopping  | 409 stopping
Migrating               | POWERED_ON   | done                 | Halted /stop waits | Halted waits  | /reset done   | /softreboot done | /pause waits  | done
Paused                  | SUSPENDED    | /unpause waits       | Halted /stop waits | 409 suspended | 409 suspended | 409 suspended    | done          | /unpause waits
Running                 | POWERED_ON   | done                 | Halted /stop waits | Halted waits  | /reset done   | /softreboot done | /pause waits  | done
ErrorPvcNotFound        | POWERING_ON  | waits                | Halted /stop waits | Halted waits  | 409 starting  | 409 starting     | 409 starting  | 409 starting
DataVolumeError         | POWERING_ON  | waits                | Halted /stop done  | Halted done   | 409 starting  | 409 starting     | 409 starting  | 409 starting
ErrorUnschedulable      | POWERING_ON  | waits                | Halted /stop waits | Halted waits  | 409 starting  | 409 starting     | 409 starting  | 409 starting
Provisioning            | POWERING_ON  | waits                | Halted /stop done  | Halted done   | 409 starting  | 409 starting     | 409 starting  | 409 starting
WaitingForVolumeBinding | POWERING_ON  | waits                | Halted /stop waits | Halted waits  | 409 starting  | 409 starting     | 409 starting  | 409 starting
ErrImagePull            | POWERING_ON  | waits                | Halted /stop waits | Halted waits  | 409 starting  | 409 starting     | 409 starting  | 409 starting
ImagePullBackOff        | FAILED       | error: image         | Halted /stop waits | 409 failed    | 409 failed    | 409 failed       | 409 failed    | 409 failed
Starting                | POWERING_ON  | waits                | Halted /stop waits | Halted waits  | 409 starting  | 409 starting     | 409 starting  | 409 starting
CrashLoopBackOff        | FAILED       | error: crash         | Halted /stop waits | 409 failed    | 409 failed    | 409 failed       | 409 failed    | 409 failed
Stopped                 | POWERED_OFF  | RerunOnFailure waits | done               | done          | 409 off       | 409 off          | 409 off       | 409 off, so on
WaitingForReceiver      | POWERING_ON  | waits                | Halted /stop waits | Halted waits  | 409 starting  | 409 starting     | 409 starting  | 409 starting
Unknown                 | UNKNOWN      | waits                | Halted /stop waits | 409 unknown   | 409 unknown   | 409 unknown      | 409 unknown   | 409 unknown
`;

/** The reasons of refusals, after "The machine cannot be …: ". */
const reasons: Readonly<Record<string, string>> = {
  off: 'it is powered off: power it on first.',
  'off, so on': 'it is powered off, not suspended: power it on instead.',
  starting: 'it is starting: wait until it runs.',
  stopping: 'it is being stopped: wait until it is off, then power it on.',
  suspended: 'it is suspended, so its guest does not respond: resume it first, or power it off.',
  failed: 'it has failed: power it on to try again, or power it off.',
  unknown: 'its state is not known now: only power on and power off are possible.',
  deleted: 'it is being deleted.',
};

const verbs: Readonly<Record<PowerOperation, string>> = {
  powerOn: 'powered on',
  powerOff: 'powered off',
  shutdown: 'shut down',
  reset: 'reset',
  reboot: 'rebooted',
  suspend: 'suspended',
  resume: 'resumed',
};

const faults: Readonly<Record<string, RegExp>> = {
  image: /^One of its images cannot be downloaded: check that it exists and may be read\.$/,
  crash: /^It has failed to start 3 times in a row\. The next attempt is at 00:00:00 UTC\.$/,
};

/** The status that KubeVirt reports when it has done what was requested. */
const done: Readonly<Partial<Record<PowerOperation, object>>> = {
  powerOn: { printableStatus: 'Running', created: true, runStrategy: 'RerunOnFailure', stateChangeRequests: null },
  powerOff: { printableStatus: 'Stopped', created: null, runStrategy: 'Halted', stateChangeRequests: null },
  shutdown: { printableStatus: 'Stopped', created: null, runStrategy: 'Halted', stateChangeRequests: null },
  suspend: { printableStatus: 'Paused' },
  resume: { printableStatus: 'Running' },
};

interface Machine {
  readonly id: VmId;
  readonly name: string;
  readonly state: PrintableStatus;
}

interface Cell extends Machine {
  readonly operation: PowerOperation;
}

interface TaskShape {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly endTime: string | null;
  readonly error: { readonly minorErrorCode: string; readonly message: string } | null;
}

interface VmShape {
  readonly status: string;
  readonly stale: boolean;
  readonly task?: TaskShape;
}

const cluster = 'east';
const base = '/cloudapi/1.0.0';
const atOnce = 20;
const patient = { deadlineMs: 60_000, everyMs: 100 };

/** A busy host must not change any cell: no request times out, and a task waits long for the shown status. */
const settings = { requestMs: 30_000, leaseMs: 90_000, confirmMs: 120_000, failureMs: 0 };

suite('a power operation', { timeout: 240_000 }, () => {
  let member: MemberCluster;
  let kubevirt: StillKubeVirt;
  let proxy: ClusterProxy;
  let harness: Installation;
  let person: Person;
  let vdc: Vdc;
  let cells: readonly Cell[];
  let stale: Machine;
  let asFound: ReadonlyMap<string, KubeObject>;
  let endWatch: () => Promise<void>;
  const sent = new Map<string, string[]>();
  const answers = new Map<Cell, Answer<VmShape & TaskShape['error']>>();
  const tasks = new Map<Cell, TaskShape>();

  before(async () => {
    member = await startMemberCluster(cluster);
    // Starts one after the other, so that those that started are stopped if a later one fails to start.
    kubevirt = await StillKubeVirt.start(member);
    proxy = await ClusterProxy.start('one', member, { fateOf: noted });
    harness = await Installation.start({ settings });
    await putConfig(harness.fleets.supervisor, cluster, proxy.credentials);
    await harness.reached(cluster);
    person = await harness.api.person('vApp User');
    vdc = await harness.tenancy.made({ organization_id: person.organizationId, cluster });
    await placeAll();
    endWatch = await harness.watch(cluster);
    await seen('all', sql`SELECT vm_id FROM vm_observed`);
    const leaving = cells.filter(({ state }) => state === 'Terminating');
    await Promise.all(leaving.map((cell) => kubevirt.delete(keyOf(cell))));
    await seen(
      'those that are deleted',
      sql`SELECT vm_id FROM vm_observed WHERE (status = 'DELETING') = (name LIKE 'terminating%')`,
    );
  });
  after(async () => {
    await harness?.stop();
    await proxy?.stop();
    await kubevirt?.stop();
    await member?.stop();
  });

  /** Waits until all VMs are among these. */
  async function seen(what: string, among: RawBuilder<unknown>): Promise<void> {
    await until(
      `${what} are seen`,
      async () => {
        const { rows } = await sql<{ name: string }>`SELECT name FROM vms WHERE id NOT IN (${among})`.execute(
          harness.api.db,
        );
        if (rows.length === 0) return true;
        throw new Error(`not seen: ${rows.map(({ name }) => name).join(', ')}`);
      },
      patient,
    );
  }

  /** Records the requests to each VM in short form. */
  function noted({ text, content }: Step): Fate {
    const [, method, name = '', subresource] =
      /^(\w+) .*\/virtualmachine(?:instance)?s\/([^/]+)(?:\/(\w+))?$/.exec(text) ?? [];
    if (method === undefined) return passing;
    const word = subresource === undefined ? /"runStrategy":"(\w+)"/.exec(content)?.[1] : `/${subresource}`;
    const before = sent.get(name) ?? [];
    // The API server repeats a request that KubeVirt has not carried out yet; it is recorded once.
    if (!before.includes(word ?? text)) sent.set(name, [...before, word ?? text]);
    return passing;
  }

  async function placeAll(): Promise<void> {
    const { db } = harness.api;
    const machine = (state: PrintableStatus, word: string): Machine => ({
      id: randomUUID() as VmId,
      name: `${state}-${word}`.toLowerCase(),
      state,
    });
    cells = printableStatuses.flatMap((state) =>
      powerOperations.map((operation) => ({ ...machine(state, operation), operation })),
    );
    stale = machine('Running', 'stale');
    const all = [...cells, stale];
    const vapp = await createVapp(db, { vdc_id: vdc.id, name: 'all' });
    await db.transaction().execute(async (tx) => {
      for (const { id, name } of all) await createVm(tx, { id, vapp_id: vapp.id, name, vm_name: name });
    });
    const { id: installationId } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
    const made = await inParallel(all, atOnce, async ({ id, name, state }) => {
      const identity = {
        installationId,
        organizationId: vdc.organization_id,
        vdcId: vdc.id,
        namespace: vdc.namespace,
        vappId: vapp.id,
        vappName: vapp.name,
        vmId: id,
        vmName: name,
        name,
        description: '',
      };
      return { vm_id: id, uid: await kubevirt.place(machineIn(state, identity)) };
    });
    await db.insertInto('vm_applied').values(made).execute();
  }

  const ask = <T>(method: string, path: string): Promise<Answer<T>> =>
    harness.api.ask<T>(method, `${base}/${path}`, { token: person.token });
  const power = <T = VmShape>({ id }: Machine, operation: PowerOperation): Promise<Answer<T>> =>
    ask('POST', `vms/${urnOf('vm', id)}/actions/${operation}`);
  const keyOf = ({ name }: Machine): { namespace: string; name: string } => ({ namespace: vdc.namespace, name });

  const machines = async (): Promise<ReadonlyMap<string, KubeObject>> => {
    const { items } = await member.client.list(virtualMachines, { namespace: vdc.namespace });
    return new Map(items.map((machine) => [machine.metadata.name ?? '', machine]));
  };

  /**
   * Reads the tasks until nothing more happens by itself: each has ended, or reports what it waits for, which does not
   * happen here.
   */
  async function settle(): Promise<void> {
    const started = cells.filter((cell) => answers.get(cell)?.status === 202);
    await until(
      'nothing more happens',
      async () => {
        const [{ body }, live] = await Promise.all([
          ask<{ readonly values: readonly TaskShape[] }>('GET', 'tasks?pageSize=128'),
          machines(),
        ]);
        for (const cell of started) {
          const task = body.values.find(({ id }) => id === answers.get(cell)?.body.task?.id);
          if (task === undefined) throw new Error(`the task on ${cell.name} is not listed`);
          tasks.set(cell, task);
          // The vm-controller reports the status within seconds.
          const isToBeShown = task.message.startsWith('waits for its status');
          const waits = task.message !== '' && !isToBeShown && !isReached(cell.operation, live.get(cell.name));
          if (task.endTime === null && !waits) throw new Error(`${cell.name}: ${JSON.stringify(task)}`);
        }
        return true;
      },
      patient,
    );
  }

  function wordOf(cell: Cell): string {
    const { status, body } = answers.get(cell) as Answer<VmShape & TaskShape['error']>;
    if (status === 409) return `409 ${reasonOf(cell, body?.message ?? '')}`;
    const task = tasks.get(cell);
    return status === 202 && task !== undefined
      ? [sent.get(cell.name)?.join(' ') ?? '', endOf(task)].join(' ').trim()
      : `${status} ${JSON.stringify(body)}`;
  }

  function reasonOf({ operation }: Cell, message: string): string {
    const known = Object.entries(reasons).find(
      ([, text]) => message === `The machine cannot be ${verbs[operation]}: ${text}`,
    );
    return known?.[0] ?? message;
  }

  function endOf({ status, message, error }: TaskShape): string {
    if (status === 'running' && /^waits for the (machine|guest) to /.test(message)) return 'waits';
    if (status !== 'error') return status === 'success' ? 'done' : `${status} ${message}`;
    const text = error?.message ?? '';
    return `error: ${Object.entries(faults).find(([, fault]) => fault.test(text))?.[0] ?? text}`;
  }

  test('is answered, sent and ended as the table says', async () => {
    const { body } = await ask<{ readonly values: readonly (VmShape & { name: string })[] }>('GET', 'vms?pageSize=128');
    const shown = new Map(body.values.map(({ name, status }) => [name, status]));
    asFound = await machines();
    await inParallel(cells, atOnce, async (cell) => answers.set(cell, await power(cell, cell.operation)));
    await settle();
    const rows = printableStatuses.map((state) => {
      const row = cells.filter((cell) => cell.state === state);
      return [state, [...new Set(row.map(({ name }) => shown.get(name)))].join(), ...row.map(wordOf)];
    });
    const words = (line: string): string =>
      line
        .split('|')
        .map((word) => word.trim())
        .join(' | ');
    assert.deepEqual(
      [['', 'shown', ...powerOperations], ...rows].map((row) => row.join(' | ')),
      table.trimEnd().split('\n').slice(1).map(words),
    );
  });

  test('is decided alike by who answers and by who acts', () => {
    const differences = cells.flatMap((cell) => {
      const { status, body } = answers.get(cell) as Answer<VmShape & TaskShape['error']>;
      const plan = powerPlan(cell.operation, asFound.get(cell.name));
      const answer = status === 409 ? reasonOf(cell, body?.message ?? '') : (sent.get(cell.name)?.join(' ') ?? '');
      const found =
        plan.kind === 'refused' ? reasonOf(cell, plan.reason) : plan.kind === 'reached' ? '' : stepsOf(plan.steps);
      return answer === found ? [] : [`${cell.state} ${cell.operation}: ${answer}, not ${found}`];
    });
    // Only a watcher knows when a trouble has lasted long enough to be a failure; one look at the object does not show
    // it. The requests to the cluster are the same.
    const failed = ['ImagePullBackOff', 'CrashLoopBackOff'].flatMap((state) => [
      `${state} shutdown: failed, not Halted`,
      ...['reset', 'reboot', 'suspend', 'resume'].map((operation) => `${state} ${operation}: failed, not starting`),
    ]);
    assert.deepEqual(
      differences,
      printableStatuses.flatMap((state) => failed.filter((one) => one.startsWith(`${state} `))),
    );
  });

  test('that waits has ended well when KubeVirt says that it is done', async () => {
    const waiting = cells.filter((cell) => tasks.get(cell)?.endTime === null);
    assert.ok(waiting.length > 0);
    await inParallel(waiting, atOnce, (cell) => kubevirt.turn(keyOf(cell), done[cell.operation] ?? {}));
    await until(
      'all have ended',
      async () => {
        await settle();
        return waiting.every((cell) => tasks.get(cell)?.endTime !== null);
      },
      patient,
    );
    assert.deepEqual(
      waiting.filter((cell) => tasks.get(cell)?.status !== 'success').map((cell) => [cell.name, tasks.get(cell)]),
      [],
    );
  });

  suite('on a machine that is off, while it still shows as POWERED_ON', () => {
    const task = async (started: TaskShape | undefined): Promise<TaskShape> =>
      (await ask<TaskShape>('GET', `tasks/${started?.id ?? ''}`)).body;
    const begin = async (machine: Machine, operation: PowerOperation): Promise<TaskShape | undefined> => {
      const { status, body } = await power(machine, operation);
      assert.deepEqual([status, body.status, body.stale], [202, 'POWERED_ON', false]);
      return body.task;
    };
    let machine: Machine;
    before(async () => {
      machine = stale;
      await endWatch();
      const body = { spec: { runStrategy: 'Halted' } };
      await member.client.patch(virtualMachines, keyOf(machine), { type: 'merge', body });
      await kubevirt.turn(keyOf(machine), done.powerOff ?? {});
    });

    for (const operation of ['reset', 'reboot', 'suspend'] as const)
      test(`is accepted, and ${operation} ends with the very refusal`, async () => {
        const started = await begin(machine, operation);
        await until('it ends', async () => (await task(started)).endTime !== null);
        const { status, error } = await task(started);
        assert.deepEqual(
          [status, error?.minorErrorCode, error?.message],
          ['error', 'CONFLICT', `The machine cannot be ${verbs[operation]}: it is powered off: power it on first.`],
        );
      });

    test('is accepted, and shutdown ends well when that is shown, with nothing sent', async () => {
      const started = await begin(machine, 'shutdown');
      await until('it is found off', async () => (await task(started)).message === 'waits for its status');
      await harness.watch(cluster);
      await until('it ends', async () => (await task(started)).endTime !== null);
      assert.equal((await task(started)).status, 'success');
      assert.equal(sent.get(machine.name), undefined);
    });
  });
});

/** The steps in the form in which the requests were recorded. */
function stepsOf(steps: readonly PowerStep[]): string {
  return steps
    .map((step) =>
      step.kind === 'subresource' ? `/${step.subresource}` : String((step.patch['spec'] as JsonObject)['runStrategy']),
    )
    .join(' ');
}
