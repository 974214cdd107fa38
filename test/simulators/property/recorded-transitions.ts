/**
 * The steps from state to state in the recordings of the real KubeVirt: the source of the table in `transitions.ts`.
 */
import type { JsonObject } from '../../../packages/sandbox/src/values/json.ts';
import { isObject } from '../../../packages/sandbox/src/values/json.ts';
import { readScenario, scenarioIds } from '../../kubevirt/transcripts.ts';

export const tracedKinds = ['VirtualMachine', 'VirtualMachineInstance', 'DataVolume', 'Pod'] as const;

export type TracedKind = (typeof tracedKinds)[number];

/** The printable status or the phase of an object; `-` if it has none. */
export function wordOf(kind: TracedKind, object: JsonObject): string {
  const status = isObject(object['status']) ? object['status'] : {};
  const word = status[kind === 'VirtualMachine' ? 'printableStatus' : 'phase'];
  return typeof word === 'string' && word !== '' ? word : '-';
}

/** `from > to`, with the scenarios that contain it. */
export function recordedTransitions(kind: TracedKind): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const id of scenarioIds()) {
    const words = new Map<string, string>();
    for (const { events } of readScenario(id).steps)
      for (const { type, kind: its, name, after } of events) {
        if (its !== kind) continue;
        const from = type === 'ADDED' ? undefined : words.get(name);
        const to = type === 'DELETED' ? 'gone' : wordOf(kind, after);
        words.set(name, to);
        if (from === to) continue;
        const step = `${from ?? 'new'} > ${to}`;
        found.set(step, (found.get(step) ?? new Set()).add(id));
      }
  }
  return found;
}

/** The statuses with which a VM was ready, and those with which it had no VMI. */
export function recordedReadiness(): { readonly ready: readonly string[]; readonly uncreated: readonly string[] } {
  const [ready, uncreated] = [new Set<string>(), new Set<string>()];
  for (const id of scenarioIds())
    for (const { events } of readScenario(id).steps)
      for (const { kind, after } of events) {
        if (kind !== 'VirtualMachine') continue;
        const status = isObject(after['status']) ? after['status'] : {};
        if (status['ready'] === true) ready.add(wordOf(kind, after));
        if (status['created'] !== true) uncreated.add(wordOf(kind, after));
      }
  return { ready: [...ready].toSorted(), uncreated: [...uncreated].toSorted() };
}
