/** The command line of the bench. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const parts = ['sync', 'changes', 'memory'] as const;
export type Part = (typeof parts)[number];

export interface Options {
  readonly only: readonly Part[];
  /** The number of VMs on the real server, the sandbox and the in-memory source. */
  readonly machines: number;
  /** The number of VMs on the in-memory source when only memory is measured. */
  readonly many: number;
  /** How often each process starts when its start is measured; the median counts. */
  readonly rounds: number;
  /** The duration of a load at a rate, in seconds. */
  readonly seconds: number;
  /** How long memory may take to settle, in milliseconds. */
  readonly patience: number;
  readonly withoutReal: boolean;
  readonly withoutSandbox: boolean;
  readonly oursOnly: boolean;
  readonly rivalOnly: boolean;
  readonly json: string | undefined;
  /** The folder with KubeVirt's definitions. */
  readonly definitions: string;
}

export const usage = `usage: make bench AREA=vm-status ARGS='[options]'

  --only PART,…     sync (start to all rows in sync), changes (rates and floods), memory (many machines); all of them
  --machines N      machines (10000)
  --many N          machines where memory is measured (100000)
  --rounds N        how often each process is started in sync (3)
  --seconds N       how long a load at a rate goes on (20)
  --quick           little of everything, for a look
  --without-real    leave the real kube-apiserver out
  --without-sandbox leave the sandbox out as a server; it still stands behind the source in memory
  --ours-only       leave Go's controller-runtime out
  --rival-only      measure nothing but it
  --crds FOLDER     where KubeVirt's definitions are; without them light ones of our own are used
  --json FILE       write the figures there as well
`;

const repository = resolve(import.meta.dirname, '../..');

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const number = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: parts.join(',') },
      machines: number,
      many: number,
      rounds: number,
      seconds: number,
      quick: flag,
      'without-real': flag,
      'without-sandbox': flag,
      'ours-only': flag,
      'rival-only': flag,
      crds: { type: 'string', default: resolve(repository, '../shared/upstream-crds') },
      json: { type: 'string' },
      help: flag,
    },
  });
  if (values.help) return undefined;
  const { quick } = values;
  return {
    only: values.only.split(',').map(part),
    machines: count('machines', values.machines, quick ? 1000 : 10_000),
    many: count('many', values.many, quick ? 2000 : 100_000),
    rounds: count('rounds', values.rounds, quick ? 1 : 3),
    seconds: count('seconds', values.seconds, quick ? 3 : 20),
    patience: quick ? 300 : 10_000,
    withoutReal: values['without-real'],
    withoutSandbox: values['without-sandbox'],
    oursOnly: values['ours-only'],
    rivalOnly: values['rival-only'],
    definitions: resolve(values.crds),
    json: values.json,
  };
}

function part(text: string): Part {
  const found = parts.find((name) => name === text);
  if (found === undefined) throw new Error(`--only: "${text}" is none of ${parts.join(', ')}`);
  return found;
}

function count(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name}: "${text}" is not a number from 1 to 999999`);
  return Number(text);
}
