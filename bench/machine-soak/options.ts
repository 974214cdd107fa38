/** The command line of the machine-operator's soak. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly minutes: number;
  readonly machines: number;
  readonly seed: number;
}

export const usage = `usage: make soak AREA=machine ARGS='[options]'

  --minutes N    how long Machines are worked on while things are killed and cut off (2)
  --machines N   Machines, in all clusters together (300)
  --seed N       for the choice of actions; printed at the start (random)
`;

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: text, machines: text, seed: text, help: { type: 'boolean', default: false } },
  });
  if (values.help) return undefined;
  return {
    minutes: number('minutes', values.minutes, 2),
    machines: number('machines', values.machines, 300),
    seed: number('seed', values.seed, 1 + Math.floor(Math.random() * 1e9)),
  };
}

function number(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (value > 0) return value;
  throw new Error(`--${name}: "${text}" is not a number above 0`);
}
