/** The command line of the runtime's soak. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly minutes: number;
  readonly objects: number;
  /** Writes per second. */
  readonly rate: number;
  /** The time between two kills of the server, in seconds. */
  readonly round: number;
  readonly seed: number;
  /** Uses a real kube-apiserver instead of the sandbox. */
  readonly real: boolean;
}

export const usage = `usage: make soak AREA=runtime ARGS='[options]'

  --minutes N   how long it runs (30)
  --objects N   objects that are watched (10000)
  --rate N      writes a second (50)
  --round N     seconds from one kill of the server to the next (60)
  --seed N      for the choice of writes; printed at the start (random)
  --real        kill a real kube-apiserver instead of the sandbox
`;

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: text,
      objects: text,
      rate: text,
      round: text,
      seed: text,
      real: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    minutes: number('minutes', values.minutes, 30),
    objects: number('objects', values.objects, 10_000),
    rate: number('rate', values.rate, 50),
    round: number('round', values.round, 60),
    seed: number('seed', values.seed, 1 + Math.floor(Math.random() * 1e9)),
    real: values.real,
  };
}

function number(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name}: "${text}" is not a number above 0`);
}
