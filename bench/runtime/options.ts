/** The command line of the runtime's bench. */
import { parseArgs } from 'node:util';

export interface Options {
  /** The number on the real server, where both runtimes are measured. */
  readonly objects: number;
  /** The number on the sandbox: a longer list than a control plane on the same host would bear. */
  readonly sandboxObjects: number;
  /** How often each process starts; the median counts. */
  readonly rounds: number;
  /** The number of writes whose latency to the reconciler is measured, and how many are sent per second. */
  readonly events: number;
  readonly rate: number;
  /** How long memory may take to settle, in milliseconds. */
  readonly patience: number;
  readonly sandboxOnly: boolean;
  /** Leaves the rival out. */
  readonly oursOnly: boolean;
  readonly json: string | undefined;
}

export const usage = `usage: make bench AREA=runtime ARGS='[options]'

  --objects N          VirtualMachines on the real kube-apiserver (10000)
  --sandbox-objects N  VirtualMachines on the sandbox (50000)
  --rounds N           how often each process is started (3)
  --events N           writes of which the way to the reconciler is measured (1000)
  --rate N             such writes a second (50)
  --quick              little of everything, for a look
  --sandbox-only       leave the real kube-apiserver out
  --ours-only          leave Go's controller-runtime out
  --json FILE          write the figures there as well
`;

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const number = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      objects: number,
      'sandbox-objects': number,
      rounds: number,
      events: number,
      rate: number,
      quick: { type: 'boolean', default: false },
      'sandbox-only': { type: 'boolean', default: false },
      'ours-only': { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { quick } = values;
  return {
    objects: count('objects', values.objects, quick ? 500 : 10_000),
    sandboxObjects: count('sandbox-objects', values['sandbox-objects'], quick ? 500 : 50_000),
    rounds: count('rounds', values.rounds, quick ? 1 : 3),
    events: count('events', values.events, quick ? 50 : 1000),
    rate: count('rate', values.rate, 50),
    patience: quick ? 300 : 10_000,
    sandboxOnly: values['sandbox-only'],
    oursOnly: values['ours-only'],
    json: values.json,
  };
}

function count(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name}: "${text}" is not a number of at least 1`);
  return Number(text);
}
