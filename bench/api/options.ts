/** The command line of the bench. */
import { parseArgs } from 'node:util';

export const parts = [
  'get',
  'lists',
  'vm-lists',
  'log-in',
  'discovery',
  'creation',
  'plans',
  'machines',
  'listeners',
] as const;
export type Part = (typeof parts)[number];

export interface Options {
  readonly only: readonly Part[];
  /** Measures only the cases whose name contains this. */
  readonly match: string;
  /** The rows of each large table: users, catalog items, tasks, audit events, vApps, VMs. */
  readonly rows: number;
  /** The duration of each load in seconds. */
  readonly seconds: number;
  /** The duration of the uncounted warm-up before it, in seconds. */
  readonly warmUp: number;
  /** How many VDCs each connection creates. */
  readonly vdcs: number;
  /** The number of event listeners, and of the changes that they receive. */
  readonly listeners: number;
  readonly changes: number;
  /** Prints only the tables. */
  readonly markdown: boolean;
  /** The folder for a CPU profile of the API server. */
  readonly profile: string | undefined;
  readonly json: string | undefined;
}

export const usage = `usage: make bench AREA=api ARGS='[options]'

  --only PART,…     ${parts.join(', ')}; all of them
  --match TEXT      of these only what has this in its name
  --rows N          rows of each large table (100000)
  --seconds N       how long each load goes on (10)
  --quick           little of everything, for a look
  --markdown        print the tables only
  --profile FOLDER  have the API server write a processor profile there when it ends
  --json FILE       write the figures there as well
`;

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: parts.join(',') },
      match: { type: 'string', default: '' },
      rows: text,
      seconds: text,
      quick: flag,
      markdown: flag,
      profile: text,
      json: text,
      help: flag,
    },
  });
  if (values.help) return undefined;
  const { quick } = values;
  const seconds = count('seconds', values.seconds, quick ? 1 : 10);
  return {
    only: values.only.split(',').map(part),
    match: values.match,
    rows: count('rows', values.rows, quick ? 2000 : 100_000),
    seconds,
    warmUp: Math.min(seconds, quick ? 1 : 3),
    vdcs: quick ? 2 : 10,
    listeners: quick ? 200 : 1000,
    changes: quick ? 200 : 1000,
    markdown: values.markdown,
    profile: values.profile,
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
