/**
 * The diff that Kubernetes appends to some errors: its internal structs as JSON, indented by one space, as a unified
 * diff with three lines of context.
 */
import type { Json } from '../../../values/json.ts';

const CONTEXT = 3;

export function structDiff(old: Json, now: Json): string {
  return unified(JSON.stringify(old, null, 1).split('\n'), JSON.stringify(now, null, 1).split('\n'));
}

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

function unified(a: string[], b: string[]): string {
  const lines = compare(a, b);
  const changed = lines.flatMap((line, i) => (line.mark === ' ' ? [] : [i]));
  let out = '';
  for (let at = 0; at < changed.length;) {
    const first = changed[at] ?? 0;
    let last = first;
    while (at < changed.length && (changed[at] ?? 0) - last <= 2 * CONTEXT) last = changed[at++] ?? last;
    out += hunk(lines, Math.max(0, first - CONTEXT), Math.min(lines.length, last + CONTEXT + 1));
  }
  return out;
}

function hunk(lines: Line[], from: number, to: number): string {
  const count = (part: Line[], mark: Line['mark']): number => part.filter((line) => line.mark !== mark).length;
  const before = lines.slice(0, from);
  const inside = lines.slice(from, to);
  const range = (mark: Line['mark']): string => `${count(before, mark) + 1},${count(inside, mark)}`;
  const head = `@@ -${range('+')} +${range('-')} @@\n`;
  return head + inside.map((line) => `${line.mark}${line.text}\n`).join('');
}

/** Computes the longest common subsequence; the texts are short (one spec). */
function compare(a: string[], b: string[]): Line[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push({ mark: ' ', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: '-', text: left });
      i += 1;
    } else {
      lines.push({ mark: '+', text: right ?? '' });
      j += 1;
    }
  }
  return lines;
}
