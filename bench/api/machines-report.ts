/** Instantiations compared with plain creates, as a Markdown table. */
import { align } from '../sandbox/report.ts';
import { costing, type MeasuredMachines } from './machines.ts';
import { number } from './report.ts';

/** Processor time is per instantiation, or per create. */
export function machinesTable(measured: readonly MeasuredMachines[]): string {
  const head = [
    '',
    'connections',
    '/s',
    'p50 ms',
    'p99 ms',
    ...costing.map((name) => `${name} CPU ms`),
    'statements',
    'ours / plain',
  ];
  return align([head, ...measured.map((one) => line(one, measured))]);
}

function line(one: MeasuredMachines, all: readonly MeasuredMachines[]): readonly string[] {
  const plain = all.find(({ name, connections }) => name === one.raw && connections === one.connections);
  return [
    one.name,
    String(one.connections),
    number(rateOf(one)),
    number(one.p50),
    number(one.p99),
    ...costing.map((name) => number((one.cpu[name] * 1000) / one.requests)),
    one.raw === undefined ? '' : number(sum(one.statements.map(({ calls }) => calls)) / one.requests),
    plain === undefined ? '' : `${(rateOf(one) / rateOf(plain)).toPrecision(2)}×`,
  ];
}

function rateOf({ requests, seconds }: MeasuredMachines): number {
  return requests / seconds;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
