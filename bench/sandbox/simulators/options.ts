/** The command line of the bench of the simulators. */
import { parseArgs } from 'node:util';

export type DriverName = 'reports' | 'pauses';

export interface Options {
  readonly machines: number;
  /** Connections that create VMs, and that pause and resume them. */
  readonly connections: number;
  /** Requested state changes per second, and for how many seconds. */
  readonly changes: number;
  readonly seconds: number;
  /** What causes the changes: reports of virt-handlers, or users who pause and resume VMs. */
  readonly by: readonly DriverName[];
  /** How long the idle sandbox is observed, in seconds. */
  readonly rest: number;
  /** The time limit for all VMs to run, and for the last change to be seen, in seconds. */
  readonly patience: number;
  readonly json: string | undefined;
}

export const usage = `usage: make bench ARGS='simulators [options]'

  --machines N       virtual machines that are created and started (10000)
  --changes N        state changes that are asked for in a second (1000)
  --seconds N        for how long (60)
  --by DRIVER        what causes them: reports of virt-handlers, pauses by users, or reports,pauses (reports)
  --connections N    connections that write at once (32)
  --rest N           seconds that the sandbox is left alone, for its idle processor time (10)
  --patience N       seconds after which what has not happened is given up (3600)
  --json FILE        write the figures there as well
`;

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      machines: text,
      changes: text,
      seconds: text,
      by: { type: 'string', default: 'reports' },
      connections: text,
      rest: text,
      patience: text,
      json: text,
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    machines: count('machines', values.machines, 10_000),
    changes: count('changes', values.changes, 1000),
    seconds: count('seconds', values.seconds, 60),
    by: values.by.split(',').map((name) => driver(name)),
    connections: count('connections', values.connections, 32),
    rest: count('rest', values.rest, 10),
    patience: count('patience', values.patience, 3600),
    json: values.json,
  };
}

function driver(text: string): DriverName {
  if (text === 'reports' || text === 'pauses') return text;
  throw new Error(`--by: "${text}" is neither reports nor pauses`);
}

function count(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name}: "${text}" is not a number of at least 1`);
  return Number(text);
}
