/** Compares the observed states of an object with the recorded ones, with allowances for what may differ. */
import { align, type Pair } from './align.ts';
import { allowances, slips } from './allowances.ts';
import type { History } from '../history.ts';
import type { Identity } from '../identity.ts';
import type { State } from '../states.ts';
import { sameState } from '../states.ts';

export interface Comparison {
  readonly identity: Identity;
  readonly rows: readonly Pair[];
  readonly same: boolean;
  /** The allowances that were used. */
  readonly allowed: readonly string[];
}

export function compareHistories(scenario: string, recorded: History, seen: History): Comparison[] {
  const identities = new Set([...recorded.objects.keys(), ...seen.objects.keys()]);
  const mirrored = mirroredIn(recorded, seen);
  return [...identities].map((identity) =>
    compareObject(scenario, identity, recorded.states(identity), seen.states(identity), mirrored),
  );
}

export function compareObject(
  scenario: string,
  identity: Identity,
  recorded: readonly State[],
  seen: readonly State[],
  mirrored: (conditions: string) => boolean = () => false,
): Comparison {
  const rows = align(recorded, seen);
  const allowed: string[] = [];
  let same = true;
  // An object that one side does not have at all is never a matter of order.
  if (recorded.length === 0 || seen.length === 0) return { identity, rows, same: false, allowed };
  for (const [at, row] of rows.entries()) {
    if (row.recorded !== undefined && row.seen !== undefined) continue;
    const side = row.recorded === undefined ? 'seen' : 'recorded';
    const name = allowanceFor(scenario, identity, { side, rows, at, mirrored });
    if (name === undefined) same = false;
    else allowed.push(name);
  }
  return { identity, rows, same, allowed };
}

/** The conditions of VMIs on both sides; a VM calls their absence "missing". */
function mirroredIn(recorded: History, seen: History): (conditions: string) => boolean {
  const of = (history: History): Set<string> =>
    new Set(
      [...history.objects]
        .filter(([identity]) => identity.startsWith('VirtualMachineInstance '))
        .flatMap(([, sightings]) =>
          sightings.map(({ state }) => state['conditions'] ?? 'Ready=False/VMIConditionMissing'),
        ),
    );
  const [there, here] = [of(recorded), of(seen)];
  return (conditions) => there.has(conditions) && here.has(conditions);
}

interface Row {
  readonly side: 'recorded' | 'seen';
  readonly rows: readonly Pair[];
  readonly at: number;
  readonly mirrored: (conditions: string) => boolean;
}

function allowanceFor(scenario: string, identity: Identity, { side, rows, at, mirrored }: Row): string | undefined {
  const state = rows[at]?.[side] as State;
  const before = rows.slice(0, at).findLast((row) => row[side] !== undefined)?.[side];
  const after = rows.slice(at + 1).find((row) => row[side] !== undefined)?.[side];
  const around = { identity, scenario, before, after, side, mirrored, beside: besides(rows, at, side) };
  const slip = slips.find(
    (one) => one.scenario === scenario && one.identity === identity && one.side === side && sameState(one.state, state),
  );
  return slip === undefined ? allowances.find((one) => one.mayBeMissing(state, around))?.name : 'slip';
}

/** The rows around this one, up to where both sides agree, that only the other side has. */
function besides(rows: readonly Pair[], at: number, side: 'recorded' | 'seen'): State[] {
  const agrees = ({ recorded, seen }: Pair): boolean => recorded !== undefined && seen !== undefined;
  const from = rows.slice(0, at).findLastIndex(agrees) + 1;
  const next = rows.slice(at).findIndex(agrees);
  const other = side === 'recorded' ? 'seen' : 'recorded';
  return rows
    .slice(from, next === -1 ? rows.length : at + next)
    .flatMap(({ [other]: state }) => (state === undefined ? [] : [state]));
}
