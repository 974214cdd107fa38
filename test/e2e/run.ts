/**
 * One run from its first check of the cluster to its last: checks, the three APIs, and the clean-up that happens in
 * every case.
 */
import type { Client } from '../../packages/kube/src/client/client.ts';
import { expectedFailures } from './expected-failures.ts';
import { FailedRequests } from './failed-requests.ts';
import { bringDefinitions, makeNamespaces } from './installation.ts';
import type { Journal } from './journal.ts';
import { machineStory } from './machine-story.ts';
import type { Door, Options } from './options.ts';
import { orderStory } from './order-story.ts';
import { look } from './prerequisites.ts';
import { Processes } from './processes.ts';
import { removeRun, runsLeft, type Removal } from './removal.ts';
import { newNames, Stage } from './stage.ts';
import { tenantStory } from './tenant-story.ts';

export interface Run {
  readonly client: Client;
  readonly options: Options;
  readonly journal: Journal;
  /** Aborted by the first Ctrl-C: the tests stop, and their objects are removed. */
  readonly signal: AbortSignal;
  /** Aborted by the second: all waiting ends. */
  readonly atOnce: AbortSignal;
}

/** Resolves to the exit code. */
export async function runAll(run: Run): Promise<number> {
  const { client, options, journal } = run;
  if (!(await isFit(run))) return 2;
  const stage = new Stage({ client, options, journal, signal: run.signal, names: newNames() });
  const requests = new FailedRequests();
  const processes = new Processes(stage, requests);
  const failed: string[] = [];
  try {
    await bringDefinitions(stage);
    await makeNamespaces(stage);
    for (const door of options.doors) {
      await through(door, stage, processes, failed);
      await processes.readFailures();
    }
  } catch (error) {
    failed.push(told(error, run.signal));
  } finally {
    journal.title('Cleaning up');
    await processes.stop();
    journal.say('all processes have ended');
  }
  failed.push(...requests.unexpected(expectedFailures).map((one) => `not expected: ${one}`));
  if (failed.length === 0) journal.say('the cluster refused nothing but what is expected');
  const left = await removeRun(stage.names.run, removalOf(run));
  return verdict(run, failed, left);
}

async function isFit({ client, options, journal }: Run): Promise<boolean> {
  journal.title('Looking at the cluster');
  const { facts, warnings, problems } = await look(client, options);
  for (const fact of facts) journal.say(fact);
  for (const warning of warnings) journal.say(`WARNING: ${warning}`);
  for (const problem of problems) journal.say(`PROBLEM: ${problem}`);
  if (problems.length > 0) journal.say('nothing was made in the cluster');
  return problems.length === 0;
}

const titles: Readonly<Record<Door, string>> = {
  tenant: 'A tenant orders a machine over the REST API',
  machine: 'A platform team declares a Machine',
  order: 'A service places an order',
};

/** A failure of one API does not stop the next. */
async function through(door: Door, stage: Stage, processes: Processes, failed: string[]): Promise<void> {
  const { journal, signal } = stage;
  signal.throwIfAborted();
  journal.title(titles[door]);
  try {
    await stories[door](stage, processes);
    journal.say(`PASSED: ${titles[door]}`);
  } catch (error) {
    if (signal.aborted) throw error;
    failed.push(`${titles[door]}: ${told(error, signal)}`);
    journal.say(`FAILED: ${told(error, signal)}`);
  }
}

const stories: Readonly<Record<Door, (stage: Stage, processes: Processes) => Promise<void>>> = {
  tenant: async (stage, processes) => tenantStory(stage, await processes.startApi()),
  machine: async (stage, processes) => {
    await processes.startMachineOperator();
    await machineStory(stage);
  },
  order: async (stage, processes) => {
    await processes.startOrderOperator();
    await orderStory(stage);
  },
};

/** `--clean`: removes what killed runs have left. */
export async function cleanAll(run: Run): Promise<number> {
  const { client, journal } = run;
  const runs = await runsLeft(client);
  if (runs.length === 0) journal.say('no run has left anything in this cluster');
  const left: string[] = [];
  for (const name of runs) left.push(...(await removeRun(name, removalOf(run))));
  return verdict(run, [], left);
}

function removalOf({ client, journal, atOnce }: Run): Removal {
  return { client, journal, signal: atOnce, deadlineMs: 180_000 };
}

function verdict({ journal, signal }: Run, failed: readonly string[], left: readonly string[]): number {
  journal.title('Result');
  for (const line of failed) journal.say(`FAILED: ${line}`);
  if (left.length > 0) journal.say('LEFT in the cluster; remove it by `make e2e ARGS=--clean`, or by hand:');
  for (const command of left) journal.say(`  ${command}`);
  if (left.length === 0) journal.say('the cluster is as it was');
  if (signal.aborted) return 130;
  if (failed.length === 0 && left.length === 0) journal.say('PASSED');
  return failed.length === 0 && left.length === 0 ? 0 : 1;
}

function told(error: unknown, signal: AbortSignal): string {
  return signal.aborted ? 'it was interrupted' : error instanceof Error ? error.message : String(error);
}
