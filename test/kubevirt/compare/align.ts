/** Two sequences of states side by side: where both agree, and what only one of them has. */
import type { State } from '../states.ts';
import { sameState, stateText } from '../states.ts';

export interface Pair {
  readonly recorded?: State;
  readonly seen?: State;
}

/** The longest common subsequence, as rows. */
export function align(recorded: readonly State[], seen: readonly State[]): Pair[] {
  const lengths = Array.from({ length: recorded.length + 1 }, () => new Uint16Array(seen.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = recorded.length - 1; i >= 0; i--)
    for (let j = seen.length - 1; j >= 0; j--) {
      const same = sameState(recorded[i] as State, seen[j] as State);
      (lengths[i] as Uint16Array)[j] = same ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const rows: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < recorded.length || j < seen.length) {
    const [left, right] = [recorded[i], seen[j]];
    if (left !== undefined && right !== undefined && sameState(left, right)) {
      rows.push({ recorded: left, seen: right });
      i++;
      j++;
    } else if (right === undefined || (left !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      rows.push({ recorded: left as State });
      i++;
    } else {
      rows.push({ seen: right });
      j++;
    }
  }
  return rows;
}

/** `=` both, `-` recorded but not seen, `+` seen but not recorded. */
export function alignedText(rows: readonly Pair[]): string[] {
  return rows.map(({ recorded, seen }) => {
    if (recorded === undefined) return `  + ${stateText(seen)}`;
    return `  ${seen === undefined ? '-' : '='} ${stateText(recorded)}`;
  });
}
