/** The command line of the soak. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly minutes: number;
  /** The time between two quiet points, in seconds. */
  readonly round: number;
  readonly seed: number;
  /** State on disk, and a kill -9 with a restart in every round. */
  readonly data: boolean;
  readonly writers: number;
  readonly caches: number;
}

export const usage = `usage: make soak AREA=sandbox ARGS='[options]'

  --minutes N    how long it runs (30)
  --data         keep the state on disk, and kill -9 the sandbox and start it again in every round
  --seed N       for the choice of writes and faults; printed at the start (random)
  --round N      seconds from one quiet point to the next, where everything is compared (60)
  --writers N    clients that write (8)
  --caches N     clients that list and watch (10)
`;

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string' },
      data: { type: 'boolean', default: false },
      seed: { type: 'string' },
      round: { type: 'string' },
      writers: { type: 'string' },
      caches: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    minutes: number('minutes', values.minutes, 30),
    round: number('round', values.round, 60),
    seed: whole('seed', values.seed, Math.floor(Math.random() * 1e9)),
    data: values.data,
    writers: whole('writers', values.writers, 8),
    caches: whole('caches', values.caches, 10),
  };
}

function number(name: string, text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name}: "${text}" is not a number above 0`);
}

function whole(name: string, text: string | undefined, fallback: number): number {
  const value = number(name, text, fallback);
  if (Number.isInteger(value)) return value;
  throw new Error(`--${name}: "${text}" is not a whole number`);
}
