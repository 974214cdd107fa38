/** The command line of the bench. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { count } from '../operator/count.ts';
import { repository } from '../operator/sandbox.ts';

export interface Options {
  readonly orders: number;
  readonly rounds: number;
  /** Whether it is also measured with simulated KubeVirt. */
  readonly simulated: boolean;
  /** The speed of the simulators relative to real time. */
  readonly speed: number;
  /** How long memory may take to settle, in milliseconds. */
  readonly patience: number;
  readonly json: string | undefined;
  /** The folder for CPU profiles of the operators. */
  readonly profile: string | undefined;
  /** The command whose operator is measured. */
  readonly command: string;
}

export const usage = `usage: make bench AREA=cloudkit ARGS='[options]'

  --orders N        orders that are created at once (200)
  --rounds N        how often; medians count (3)
  --bare            leave out what is measured with KubeVirt simulated
  --speed N         how many times as fast as a real one it is then (1)
  --quick           50 orders in two rounds, and 100 times as fast, for a look
  --profile FOLDER  have the operators write processor profiles there when they end
  --ssvirt FILE     the command whose operator is measured (bin/ssvirt of this repository)
  --json FILE       write the figures there as well
`;

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      orders: text,
      rounds: text,
      bare: flag,
      speed: text,
      quick: flag,
      profile: text,
      ssvirt: { type: 'string', default: join(repository, 'bin/ssvirt') },
      json: text,
      help: flag,
    },
  });
  if (values.help) return undefined;
  const { quick } = values;
  return {
    orders: count('orders', values.orders, quick ? 50 : 200),
    rounds: count('rounds', values.rounds, quick ? 2 : 3),
    simulated: !values.bare,
    speed: count('speed', values.speed, quick ? 100 : 1),
    patience: quick ? 1000 : 10_000,
    json: values.json,
    profile: values.profile === undefined ? undefined : resolve(values.profile),
    command: resolve(values.ssvirt),
  };
}
