/** The cost and the latency of listeners, as a Markdown table. */
import { align } from '../../sandbox/report.ts';
import { mebibyte, number } from '../report.ts';
import type { ListenersFound } from './scenario.ts';

export function listenersTable(found: ListenersFound): string {
  const { listeners, users, changes, memory, request } = found;
  const deliveries = listeners * changes;
  const each = (seconds: number): string => number((seconds * 1e6) / deliveries);
  const lines: readonly (readonly [name: string, unit: string, value: string])[] = [
    [`until all ${listeners} listen (${users} users)`, 's', number(found.connected)],
    [`${changes} changes, written within`, 's', number(found.changing)],
    ['the last has come to the last listener after', 's', number(found.arriving)],
    ['from the commit to a listener, p50', 'ms', number(found.p50)],
    ['from the commit to a listener, p99', 'ms', number(found.p99)],
    ['from the commit to a listener, at most', 'ms', number(found.max)],
    ['deliveries', '', String(deliveries)],
    ['deliveries that are missing', '', String(found.missing)],
    ['deliveries that came twice', '', String(found.twice)],
    ['asked to reload', '', String(found.resets)],
    ['a request meanwhile, p50', 'ms', number(request.p50)],
    ['a request meanwhile, at most', 'ms', number(request.max)],
    ['api-server CPU', 's', number(found.serverCpu)],
    ['api-server CPU of a delivery', 'µs', each(found.serverCpu)],
    ['PostgreSQL CPU', 's', number(found.databaseCpu)],
    ['clients CPU', 's', number(found.clientCpu)],
    ['resident memory before', 'MiB', number(memory.before / mebibyte)],
    ['resident memory with all of them', 'MiB', number(memory.listening / mebibyte)],
    ['resident memory after the changes', 'MiB', number(memory.changed / mebibyte)],
    ['resident memory when they have left', 'MiB', number(memory.after / mebibyte)],
    ['resident memory at most', 'MiB', number(memory.peak / mebibyte)],
    ['a restart of the api-server, until it is ready', 's', number(found.restarted)],
    ['the same, until all listen again and have what was missed', 's', number(found.back)],
    [`of ${found.away} changes meanwhile, deliveries that are missing`, '', String(found.awayMissing)],
  ];
  return align([['listeners of events', 'unit', 'ssvirt'], ...lines]);
}
