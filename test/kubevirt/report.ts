/** The result of a replay, for display: per object the recorded and the observed states, aligned. */
import { alignedText } from './compare/align.ts';
import type { CaseResult } from './admission.ts';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { mergePatchOf } from './compare/normalise.ts';
import { isSame, type Replay, type Trace } from './player.ts';

export function replayText(replay: Replay, verbose: boolean): string {
  const { scenario, title, objects, problems, events, milliseconds } = replay;
  const lines = [`${isSame(replay) ? 'same' : 'DIFFERENT'}  ${scenario}  (${milliseconds} ms)  ${title}`];
  for (const problem of problems) lines.push(`  ! ${problem}`);
  for (const { identity, rows, same, allowed } of objects) {
    if (same && !verbose) continue;
    const note = allowed.length === 0 ? '' : `  (allowed: ${[...new Set(allowed)].join(', ')})`;
    lines.push(`  ${same ? ' ' : 'x'} ${identity}${note}`, ...alignedText(rows).map((line) => `    ${line}`));
  }
  if (events.length > 0) lines.push('  x Events', ...events.map((line) => `      ${line}`));
  return lines.join('\n');
}

export function summaryText(replays: readonly Replay[]): string {
  const rows = replays.map((replay) => {
    const first = replay.problems[0]?.split('\n')[0] ?? firstDifference(replay);
    return `${isSame(replay) ? 'same     ' : 'DIFFERENT'} ${replay.scenario}${first === undefined ? '' : `  ${first}`}`;
  });
  const same = replays.filter((replay) => isSame(replay)).length;
  return [...rows, `${same} of ${replays.length} scenarios are the same`].join('\n');
}

function firstDifference({ objects, events }: Replay): string | undefined {
  const different = objects.filter(({ same }) => !same).map(({ identity }) => identity);
  return different.length > 0 ? different.join(', ') : events[0];
}

export function caseText({ id, differences }: CaseResult, short: boolean): string {
  const told = `${differences.length === 0 ? 'same     ' : 'DIFFERENT'} ${id}`;
  if (short) return `${told}${differences.length === 0 ? '' : `  ${differences.length} differences`}`;
  return [told, ...differences.map((text) => `    ${text}`)].join('\n');
}

/** Prints the changes of every write that a watcher sees. */
export function tracing(print: (line: string) => void): Trace {
  const known = new Map<string, JsonObject>();
  return (type, kind, object, step) => {
    const { managedFields: _, resourceVersion: __, ...metadata } = object['metadata'] as JsonObject;
    const key = `${kind} ${String(metadata['name'])}`;
    const shown = { ...object, metadata };
    const change = type === 'ADDED' ? shown : (mergePatchOf(known.get(key) ?? {}, shown) ?? {});
    known.set(key, shown);
    print(`    ${step} ${type} ${key} ${JSON.stringify(change).slice(0, 800)}`);
  };
}
