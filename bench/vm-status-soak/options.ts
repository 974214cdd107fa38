/** The command line of the vm-controller's soak. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly minutes: number;
  readonly vms: number;
  readonly clusters: number;
  readonly seed: number;
}

export const usage = `usage: make soak AREA=vm-status ARGS='[options]'

  --minutes N    how long machines are worked on while things are killed (2)
  --vms N        machines, in all clusters together (300)
  --clusters N   clusters, 2 to 5 (3)
  --seed N       for the choice of actions; printed at the start (random)
`;

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: text, vms: text, clusters: text, seed: text, help: { type: 'boolean', default: false } },
  });
  if (values.help) return undefined;
  return {
    minutes: number('minutes', values.minutes, 2),
    vms: number('vms', values.vms, 300),
    clusters: number('clusters', values.clusters, 3, [2, 5]),
    seed: number('seed', values.seed, 1 + Math.floor(Math.random() * 1e9)),
  };
}

function number(
  name: string,
  text: string | undefined,
  otherwise: number,
  [least, most]: readonly [number, number] = [Number.MIN_VALUE, Infinity],
): number {
  const value = text === undefined ? otherwise : Number(text);
  if (value >= least && value <= most) return value;
  throw new Error(`--${name}: "${text}" is not a number ${most === Infinity ? 'above 0' : `from ${least} to ${most}`}`);
}
