/**
 * The action of each step of a recording. If the step has calls they are sent. If an agent wrote something that is not
 * among the calls, it is found in the watcher's events: the first event on the agent's kind that changes what this
 * agent writes. Everything before this event in the order of writes
 * is the end of the step before ("the last write of a step can appear at the start of the next step").
 */
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { isObject, jsonEqual } from '../../packages/sandbox/src/values/json.ts';
import type { RecordedCall, RecordedEvent, Scenario, Step } from './transcripts.ts';

export type Stimulus =
  | { readonly do: 'call'; readonly call: RecordedCall }
  /** An agent changes an object, as from `before` to `after`. */
  | { readonly do: 'write'; readonly actor: string; readonly event: RecordedEvent }
  /** A PersistentVolume for a claim, which the binder then binds. */
  | { readonly do: 'provision'; readonly claim: string }
  /** Time passes: seconds of a real cluster; undefined if the step ends with what it waits for. */
  | { readonly do: 'wait'; readonly seconds: number | undefined }
  | { readonly do: 'virt-api'; readonly up: boolean };

export interface PlayedStep {
  readonly step: Step;
  readonly stimuli: readonly Stimulus[];
  /** What is seen from this step's stimulus to the next one's. */
  readonly events: readonly RecordedEvent[];
}

/** The steps with their stimuli, and with late events moved back to the step that caused them. */
export function played(scenario: Scenario): PlayedStep[] {
  const steps = scenario.steps.map((step, at) => {
    const { stimuli, anchor } = findStimuli(step, scenario.steps[at + 1]);
    return { step, stimuli, anchor: at === 0 ? 0 : anchor };
  });
  const all = steps.map(({ step, stimuli, anchor }, at) => ({
    step,
    stimuli,
    events: [...step.events.slice(anchor), ...(scenario.steps[at + 1]?.events.slice(0, steps[at + 1]?.anchor) ?? [])],
  }));
  return all.reduce<PlayedStep[]>(joined, []);
}

/**
 * A wait that ends with an event is merged with the step before it: on a slow host the event may already have happened
 * in that step.
 */
function joined(before: PlayedStep[], next: PlayedStep): PlayedStep[] {
  const last = before.at(-1);
  const isOpen = next.stimuli.some((one) => one.do === 'wait' && one.seconds === undefined);
  if (last === undefined || !isOpen) return [...before, next];
  const { step, stimuli, events } = last;
  const both = { step, stimuli: [...stimuli, ...next.stimuli], events: [...events, ...next.events] };
  return [...before.slice(0, -1), both];
}

interface Found {
  readonly stimuli: readonly Stimulus[];
  /** How many of the step's events were written before its stimulus. */
  readonly anchor: number;
}

function findStimuli(step: Step, next: Step | undefined): Found {
  if (step.calls.length > 0) return fromCalls(step);
  const actor = step.actor.replace(/\(.*/, '');
  if (actor === 'time') return { stimuli: [{ do: 'wait', seconds: secondsOf(step.action) }], anchor: 0 };
  if (actor === 'admin') return { stimuli: [{ do: 'virt-api', up: /start/.test(step.action) }], anchor: 0 };
  if (actor === 'agent:csi') return fromClaim(step);
  const anchor = step.events.findIndex((event) => isWriteOf(actor, event));
  // A write whose event came late shows in the next step.
  const event = step.events[anchor] ?? next?.events.find((late) => isWriteOf(actor, late));
  const stimuli: Stimulus[] = event === undefined ? [] : [{ do: 'write', actor: step.actor, event }];
  return { stimuli, anchor: Math.max(0, anchor) };
}

function fromCalls(step: Step): Found {
  const stimuli = step.calls.flatMap((call): Stimulus[] => {
    const body = call.body;
    const claimed =
      step.actor === 'agent:cdi' && /a PV for it/.test(step.action) && isObject(body)
        ? [{ do: 'provision' as const, claim: String((body['metadata'] as JsonObject)['name']) }]
        : [];
    return [{ do: 'call', call }, ...claimed];
  });
  const first = step.calls[0] as RecordedCall;
  return {
    stimuli,
    anchor: Math.max(
      0,
      step.events.findIndex((event) => isEffectOf(first, event)),
    ),
  };
}

/** Seconds of "wait 20 s"; other waits end with an event. */
function secondsOf(action: string): number | undefined {
  const seconds = /(\d+) s/.exec(action)?.[1];
  if (seconds !== undefined) return Number(seconds);
  return /nothing/.test(action) ? 20 : undefined;
}

function fromClaim(step: Step): Found {
  const anchor = step.events.findIndex(({ kind }) => kind === 'PersistentVolumeClaim');
  const claim = step.events[anchor]?.name;
  return { stimuli: claim === undefined ? [] : [{ do: 'provision', claim }], anchor: Math.max(0, anchor) };
}

/** Whether an event is the direct result of a create, a bind, a patch or a delete. */
function isEffectOf({ method, path }: RecordedCall, event: RecordedEvent): boolean {
  const [, plural = '', name] = /\/namespaces\/ns1\/([a-z]+)(?:\/([^/]+))?/.exec(path) ?? [];
  if (`${event.kind.toLowerCase()}s` !== plural) return false;
  if (method === 'POST' && name === undefined) return event.type === 'ADDED';
  if (event.name !== name) return false;
  if (path.includes('subresources.kubevirt.io')) return /\/(start|stop|restart)$/.test(path) && isPowerChange(event);
  if (method === 'PATCH') return event.type === 'MODIFIED' && path.endsWith('/status') !== specChanged(event);
  if (method === 'DELETE') return event.type === 'DELETED' || isDeleting(event.after) !== isDeleting(event.before);
  return (
    path.endsWith('/binding') && event.type === 'MODIFIED' && !jsonEqual(event.before?.['spec'], event.after['spec'])
  );
}

/** What virt-api writes into a VM that is started, stopped or restarted. */
function isPowerChange({ before, after }: RecordedEvent): boolean {
  const requests = (object: JsonObject | undefined): number => {
    const list = statusOf(object ?? {})['stateChangeRequests'];
    return Array.isArray(list) ? list.length : 0;
  };
  return requests(after) > requests(before) || !jsonEqual(before?.['spec'], after['spec']);
}

function specChanged({ before, after }: RecordedEvent): boolean {
  const labels = (object: JsonObject | undefined): Json | undefined => (object?.['metadata'] as JsonObject)?.['labels'];
  return !jsonEqual(before?.['spec'], after['spec']) || !jsonEqual(labels(before), labels(after));
}

function isDeleting(object: JsonObject | undefined): boolean {
  return isObject(object?.['metadata']) && object['metadata']['deletionTimestamp'] !== undefined;
}

const agentConditions = new Set(['LiveMigratable', 'StorageLiveMigratable', 'Paused', 'AgentConnected']);
const agentPhases = new Set<Json | undefined>(['Running', 'Succeeded', 'Failed']);

function isWriteOf(actor: string, { kind, type, before, after }: RecordedEvent): boolean {
  if (type === 'DELETED' || before === undefined) return false;
  const old = statusOf(before);
  const now = statusOf(after);
  switch (actor) {
    case 'agent:virt-handler':
      return (
        kind === 'VirtualMachineInstance' &&
        ((old['phase'] !== now['phase'] && agentPhases.has(now['phase'])) ||
          !jsonEqual(conditionsOf(old, agentConditions), conditionsOf(now, agentConditions)) ||
          (old['migrationState'] !== undefined && !jsonEqual(old['migrationState'], now['migrationState'])) ||
          (!jsonEqual(old['interfaces'], now['interfaces']) &&
            JSON.stringify(now['interfaces']).includes('infoSource')))
      );
    case 'agent:kubelet':
    case 'agent:scheduler':
      return kind === 'Pod' && !jsonEqual(ofKubelet(old), ofKubelet(now));
    case 'agent:cdi':
      return kind === 'DataVolume';
    default:
      return false;
  }
}

function statusOf(object: JsonObject): JsonObject {
  return isObject(object['status']) ? object['status'] : {};
}

function conditionsOf(status: JsonObject, types: ReadonlySet<string>): Json[] {
  const all = Array.isArray(status['conditions']) ? status['conditions'] : [];
  return all.filter((condition) => isObject(condition) && types.has(String(condition['type'])));
}

/** A pod's status except the one condition that virt-controller writes. */
function ofKubelet(status: JsonObject): JsonObject {
  const all = Array.isArray(status['conditions']) ? status['conditions'] : [];
  const own = all.filter(
    (condition) => isObject(condition) && condition['type'] !== 'kubevirt.io/virtual-machine-unpaused',
  );
  return { ...status, conditions: own };
}
