/** The command line of the bench. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { count } from '../operator/count.ts';
import { repository } from '../operator/sandbox.ts';

export interface Options {
  readonly machines: number;
  readonly clusters: number;
  /** How long an idle operator is observed, in seconds. */
  readonly idle: number;
  /** How long memory may take to settle, in milliseconds. */
  readonly patience: number;
  readonly json: string | undefined;
  /** The folder for a CPU profile of the operator. */
  readonly profile: string | undefined;
  /** The command whose operator is measured. */
  readonly command: string;
}

export const usage = `usage: make bench AREA=machine ARGS='[options]'

  --machines N      Machines (1000)
  --clusters N      members that they are spread over, beside the supervisor (10)
  --idle SECONDS    how long the operator is listened to when all is done (60)
  --quick           100 Machines on 3 clusters, 10 s idle, for a look
  --profile FOLDER  have the operator write a processor profile there when it ends
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
      machines: text,
      clusters: text,
      idle: text,
      quick: flag,
      profile: text,
      ssvirt: { type: 'string', default: resolve(repository, 'bin/ssvirt') },
      json: text,
      help: flag,
    },
  });
  if (values.help) return undefined;
  const { quick } = values;
  return {
    machines: count('machines', values.machines, quick ? 100 : 1000),
    clusters: count('clusters', values.clusters, quick ? 3 : 10),
    idle: count('idle', values.idle, quick ? 10 : 60),
    patience: quick ? 1000 : 10_000,
    json: values.json,
    profile: values.profile === undefined ? undefined : resolve(values.profile),
    command: resolve(values.ssvirt),
  };
}
