/**
 * The recorded matrix of subresources: for each of 22 states of a VM the same list of calls, with virt-api's answers
 * and its requests to virt-handler.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { isObject } from '../../packages/sandbox/src/values/json.ts';
import { applyMergePatch } from '../../packages/sandbox/src/objects/patch/merge-patch.ts';
import type { CaseResult } from './admission.ts';
import type { Harness } from './harness.ts';
import { differencesOf, normalised } from './compare/normalise.ts';
import { ScenarioRun } from './player.ts';
import { played } from './stimuli.ts';
import type { ForwardedCall, RecordedCall, Scenario } from './transcripts.ts';
import { readRecording, readScenario } from './transcripts.ts';

interface MatrixCall {
  readonly method: string;
  readonly resource: 'vm' | 'vmi';
  readonly subresource: string;
  readonly body?: Json;
  readonly websocketUpgrade?: boolean;
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: Json;
  readonly contentType?: string;
  readonly responseBody?: Json;
  readonly forwarded_to_virt_handler?: readonly ForwardedCall[];
}

export interface MatrixState {
  readonly state: string;
  readonly description: string;
  readonly vm: JsonObject | null;
  readonly vmi: JsonObject | null;
  readonly calls: readonly MatrixCall[];
}

export function matrixStates(): readonly MatrixState[] {
  return (readRecording('subresources/matrix.json') as unknown as { states: readonly MatrixState[] }).states;
}

/** How to reach a state: by this many steps of a scenario that passes through it. */
interface Recipe {
  readonly scenario: string;
  readonly steps: number;
  /** Merged into the VM that the first step creates. */
  readonly change?: JsonObject;
  /** The VM is deleted at the end. */
  readonly deleted?: boolean;
}

const recipes: Readonly<Record<string, Recipe>> = {
  halted: { scenario: 'vm/create-halted', steps: 1 },
  'manual-stopped': { scenario: 'vm/guest-shutdown-manual', steps: 1 },
  'rerunonfailure-stopped': { scenario: 'vm/stop-while-scheduling-rerunonfailure', steps: 2 },
  'always-provisioning': { scenario: 'storage/dvtemplate-always', steps: 7 },
  'always-scheduling': { scenario: 'vm/create-always', steps: 1 },
  'always-running': { scenario: 'vm/create-always', steps: 5 },
  'manual-scheduling': { scenario: 'vm/guest-shutdown-manual', steps: 2 },
  'manual-running': { scenario: 'vm/guest-shutdown-manual', steps: 6 },
  'rerunonfailure-running': { scenario: 'vm/create-rerunonfailure', steps: 5 },
  'once-scheduling': { scenario: 'vm/create-once', steps: 1 },
  'always-running-agent': { scenario: 'vm/create-always', steps: 6 },
  'always-paused': { scenario: 'vm/pause', steps: 8 },
  'always-scheduled': { scenario: 'vm/create-always', steps: 3 },
  'halted-stopping': { scenario: 'vm/stop-always-subresource', steps: 6 },
  'always-restarting': { scenario: 'vm/restart-always', steps: 6 },
  'manual-succeeded': { scenario: 'vm/guest-shutdown-manual', steps: 8 },
  'once-succeeded': { scenario: 'vm/guest-shutdown-once', steps: 7 },
  'rerunonfailure-failed-deleting': { scenario: 'vm/guest-crash-rerunonfailure', steps: 6 },
  'always-terminating': { scenario: 'vm/create-always', steps: 5, deleted: true },
  'running-no-acpi-no-agent': {
    scenario: 'vm/create-always',
    steps: 5,
    change: {
      domain: {
        features: { acpi: { enabled: false } },
        devices: { autoattachSerialConsole: false, autoattachGraphicsDevice: false },
      },
    },
  },
  'running-liveness-probe': {
    scenario: 'vm/create-always',
    steps: 5,
    change: { livenessProbe: { tcpSocket: { port: 22 } } },
  },
};

/** The deadline for a state. It only matters if something is wrong. */
const deadlineMs = 60_000;

/** Brings a VM into the state in a separate namespace, and makes all the calls. */
export async function checkState(harness: Harness, state: MatrixState): Promise<CaseResult> {
  const id = `matrix/${state.state}`;
  const recipe = recipes[state.state];
  const namespace = await harness.enter(id);
  if (recipe !== undefined) {
    const problems = await reach(harness, namespace, recipe);
    if (problems.length > 0) return { id, differences: problems };
    const differs = await settled(harness, namespace, state);
    if (differs.length > 0) return { id, differences: differs };
  }
  const differences: string[] = [];
  for (const call of state.calls) differences.push(...(await check(harness, namespace, call)));
  await harness.leave(namespace);
  return { id, differences };
}

async function reach(harness: Harness, namespace: string, recipe: Recipe): Promise<readonly string[]> {
  const scenario = withChange(readScenario(recipe.scenario), recipe.change ?? {});
  const run = new ScenarioRun(harness, scenario, namespace);
  const leave = harness.watching.observe(namespace, (type, kind, object) => run.see(type, kind, object));
  try {
    for (const step of played(scenario).slice(0, recipe.steps))
      if (!(await run.play(step, { stepDeadlineMs: deadlineMs }))) break;
  } finally {
    leave();
  }
  const path = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines/vm1`;
  if (recipe.deleted === true) await harness.sender.send({ user: 'user', method: 'DELETE', path });
  return run.result().problems;
}

/** The scenario with another template in the VM that its first call creates. */
function withChange(scenario: Scenario, change: JsonObject): Scenario {
  const [first, ...steps] = scenario.steps;
  const [create, ...calls] = first?.calls ?? [];
  if (first === undefined || create === undefined || Object.keys(change).length === 0) return scenario;
  const body = applyMergePatch(create.body as JsonObject, { spec: { template: { spec: change } } });
  const changed: RecordedCall = { ...create, body };
  return { ...scenario, steps: [{ ...first, calls: [changed, ...calls] }, ...steps] };
}

/** Waits until VM and VMI match the summary in the recording. */
async function settled(harness: Harness, namespace: string, { vm, vmi }: MatrixState): Promise<string[]> {
  const get = async (plural: string): Promise<Json | undefined> => {
    const path = `/apis/kubevirt.io/v1/namespaces/${namespace}/${plural}/vm1`;
    const { status, body } = await harness.sender.send({ user: 'admin', method: 'GET', path });
    return status === 200 ? body : undefined;
  };
  let differences: string[] = [];
  const deadline = Date.now() + deadlineMs;
  while (Date.now() < deadline) {
    const seen = [vmSummary(await get('virtualmachines')), vmiSummary(await get('virtualmachineinstances'))];
    const live = normalised(seen, namespace) as Json[];
    const recorded = normalised([vm, vmi], namespace) as Json[];
    differences = ['vm', 'vmi'].flatMap((what, at) =>
      differencesOf(live[at], recorded[at], `the state of the ${what}`),
    );
    if (differences.length === 0) return [];
    await pause(50);
  }
  return differences;
}

function vmSummary(vm: Json | undefined): Json {
  if (!isObject(vm)) return null;
  const status = isObject(vm['status']) ? vm['status'] : {};
  const { printableStatus = null, created = null, ready = null, stateChangeRequests = null } = status;
  return {
    runStrategy: (vm['spec'] as JsonObject)['runStrategy'] ?? null,
    printableStatus,
    created,
    ready,
    stateChangeRequests,
  };
}

function vmiSummary(vmi: Json | undefined): Json {
  if (!isObject(vmi)) return null;
  const status = isObject(vmi['status']) ? vmi['status'] : {};
  const conditions = Array.isArray(status['conditions']) ? (status['conditions'] as JsonObject[]) : [];
  return {
    phase: status['phase'] ?? null,
    deleting: (vmi['metadata'] as JsonObject)['deletionTimestamp'] !== undefined,
    conditions: conditions.map(({ type, status: holds, reason, message }) => {
      const why = reason === undefined ? '' : `/${String(reason)}`;
      return `${String(type)}=${String(holds)}${why}${message === undefined ? '' : ` "${String(message)}"`}`;
    }),
  };
}

async function check(harness: Harness, namespace: string, call: MatrixCall): Promise<string[]> {
  const plural = call.resource === 'vm' ? 'virtualmachines' : 'virtualmachineinstances';
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/${plural}/vm1/${call.subresource}`;
  harness.handler.forget(namespace);
  const request = { user: 'user', method: call.method, path, body: call.body };
  const answer = await (call.websocketUpgrade === true
    ? harness.sender.upgrade(request)
    : harness.sender.send(request));
  const body = normalised(answer.body ?? null, namespace);
  const forwarded = harness.handler.forwarded(namespace).map((one) => normalised({ ...one }, namespace));
  const told = `${call.method} ${call.resource}/${call.subresource} ${call.body === undefined ? '' : JSON.stringify(call.body)}: `;
  const field = (name: string): Json | undefined => (isObject(body) ? body[name] : undefined);
  const differences = [
    ...differencesOf(answer.status, call.code, `${told}code`),
    ...differencesOf(forwarded, (call.forwarded_to_virt_handler ?? []) as unknown as Json, `${told}forwarded`),
  ];
  if (call.responseBody !== undefined) {
    const whole = call.responseBody === '<VirtualMachine object>' ? `<${String(field('kind'))} object>` : body;
    const type = answer.headers['content-type'] ?? '';
    return [
      ...differences,
      ...differencesOf(whole, call.responseBody, `${told}body`),
      ...differencesOf(type, call.contentType ?? '', `${told}content type`),
    ];
  }
  if (call.code >= 400)
    for (const name of ['reason', 'message', 'details'] as const)
      differences.push(...differencesOf(field(name), call[name], `${told}${name}`));
  return differences;
}

interface AccessCase {
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly requestBody?: Json;
  readonly code: number;
  readonly contentType?: string;
  readonly body?: Json;
}

/** Calls by a user without rights, and calls about the whole cluster. */
export function accessCases(): readonly AccessCase[] {
  return (readRecording('subresources/access-and-cluster.json') as unknown as { cases: readonly AccessCase[] }).cases;
}

/** Such as `access/mallory PUT …/start`. */
export function accessId({ user, method, path }: AccessCase): string {
  return `access/${user.replace(/ .*/, '')} ${method} ${path.replace('/apis/subresources.kubevirt.io', '')}`;
}

export async function checkAccess(harness: Harness, one: AccessCase): Promise<CaseResult> {
  const user = one.user.replace(/ .*/, '');
  const answer = await harness.sender.send({ user, method: one.method, path: one.path, body: one.requestBody });
  const recorded = one.body === undefined ? undefined : comparable(one.body);
  const live = answer.body === undefined ? undefined : comparable(answer.body);
  return {
    id: accessId(one),
    differences: [...differencesOf(answer.status, one.code, 'code'), ...differencesOf(live, recorded, 'body')],
  };
}

/** Without the parts that differ between builds or servers. */
function comparable(body: Json): Json {
  const value = normalised(body, 'ns1');
  if (!isObject(value)) return value;
  const { goVersion, gitCommit, 'config-resource-version': resource, buildDate, ...rest } = value;
  void [goVersion, gitCommit, resource, buildDate];
  const server = rest['apiserver'];
  return isObject(server) ? { ...rest, apiserver: { ...server, version: '<version>' } } : rest;
}
