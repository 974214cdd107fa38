/** The figures as Markdown tables. */
import { align } from '../sandbox/report.ts';
import type { Measured } from './measure.ts';
import { small, type Plan } from './plan.ts';

export interface Memory {
  readonly atStart: number;
  readonly afterwards: number;
  readonly peak: number;
}

const head = [
  '',
  'connections',
  '/s',
  'p50 ms',
  'p99 ms',
  'api-server CPU ms',
  'PostgreSQL CPU ms',
  'client CPU ms',
  'Go /s',
  'Go p99 ms',
  'ours / Go',
];

/** Processor time is per request. */
export function loads(measured: readonly Measured[]): string {
  return align([head, ...measured.map(line)]);
}

function line(one: Measured): readonly string[] {
  const each = (seconds: number): string => number((seconds * 1000) / one.requests);
  const rate = one.requests / one.seconds;
  const { anchor } = one;
  return [
    one.name,
    String(one.connections),
    number(rate),
    number(one.p50),
    number(one.p99),
    each(one.serverCpu),
    each(one.databaseCpu),
    each(one.cpuSeconds),
    ...(anchor === undefined
      ? ['', '', '']
      : [number(anchor.rate), number(anchor.p99), `${(rate / anchor.rate).toPrecision(2)}×`]),
  ];
}

/** A ratio of 1 means that a far page costs as much as the first. */
export function farRatios(measured: readonly Measured[]): readonly string[] {
  return measured.flatMap((first) => {
    const name = /^(.*), page 1$/.exec(first.name)?.[1];
    const far = measured.find(
      (other) => other !== first && other.connections === first.connections && other.name.startsWith(`${name}, page `),
    );
    if (name === undefined || far === undefined) return [];
    const ratio = first.seconds / first.requests / (far.seconds / far.requests);
    const page = far.name.slice(name.length + 2);
    return [`- ${name}, ${first.connections} connections: ${page} at ${ratio.toFixed(2)}× the rate of page 1`];
  });
}

export const mebibyte = 2 ** 20;

export function memoryTable({ atStart, afterwards, peak }: Memory): string {
  return align([
    ['resident memory of the api-server', 'unit', 'ssvirt', 'aim'],
    ['after start', 'MiB', number(atStart / mebibyte), ''],
    ['after all runs', 'MiB', number(afterwards / mebibyte), '< 256'],
    ['at most', 'MiB', number(peak / mebibyte), ''],
  ]);
}

/** Each statement once: the sequential scans, if any, and the slowest statements. */
export function planReport(plans: readonly Plan[]): readonly string[] {
  const slowestFirst = plans.toSorted((one, other) => other.duration - one.duration);
  const reads = slowestFirst.filter(({ sequential }) => sequential.length > 0);
  const once = new Map(reads.toReversed().map((plan) => [plan.statement, plan]));
  const [slowest] = slowestFirst;
  return [
    `${plans.length} statements of lists explained; ${reads.length} of them, of ${once.size} kinds, read a table of ${small} rows or more from end to end${reads.length === 0 ? '' : ':'}`,
    ...[...once.values()].toReversed().map(told),
    ...(slowest === undefined ? [] : ['the slowest:', told(slowest)]),
  ];
}

function told({ asked, statement, duration, sequential }: Plan): string {
  const read = sequential.length === 0 ? '' : `, reads ${sequential.join(', ')}`;
  return `- ${asked}: ${number(duration)} ms${read}: ${short(statement)}`;
}

function short(statement: string): string {
  const text = statement.replaceAll(/\s+/g, ' ').trim();
  return text.length > 240 ? `${text.slice(0, 240)}…` : text;
}

export function number(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
