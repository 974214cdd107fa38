/** The common parts of the debug pages: facts, conditions, events, and what could not be read. */
import type { Condition } from '@ssvirt/kube/reconcile/conditions';
import { ago } from '../output/ago.ts';
import { columns } from '../output/columns.ts';
import { plain } from '../output/plain.ts';
import type { SeenEvent } from './events.ts';

export type PageSection = readonly string[];

export function page(sections: readonly PageSection[]): string {
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** `factSection` omits facts without a value. */
export function factSection(head: string, rows: readonly (readonly [string, string | undefined])[]): PageSection {
  return [head, ...columns(rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))];
}

export function conditionSection(all: readonly Condition[], now: number): PageSection {
  if (all.length === 0) return ['Conditions: none yet'];
  const rows = all.map(({ type, status, reason, message, lastTransitionTime }) => [
    type,
    status,
    reason,
    ago(lastTransitionTime, now),
    message,
  ]);
  return ['Conditions', ...columns([['TYPE', 'STATUS', 'REASON', 'SINCE', 'MESSAGE'], ...rows])];
}

export function eventSection(events: readonly SeenEvent[], now: number): PageSection {
  if (events.length === 0) return ['Events: none'];
  const rows = events.map(({ at, type, reason, object, message, count }) => [
    ago(at, now),
    type,
    reason,
    object,
    count > 1 ? `${message} (${count} times)` : message,
  ]);
  return ['Events, newest first', ...columns([['WHEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'], ...rows])];
}

export function unreadSection(unread: readonly string[]): PageSection {
  if (unread.length === 0) return [];
  return [
    'Not read',
    ...columns(unread.map((kind) => [kind, 'you have no permission to read it, so this page is incomplete'])),
  ];
}

export function sentenceSection(head: string, sentences: readonly string[]): PageSection {
  return [head, ...sentences.map((sentence) => `  ${plain(sentence)}`)];
}
