/** The command line of the bench. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { WatchSizes } from './watches.ts';
import type { WriteSizes } from './writes.ts';

export interface Options extends WriteSizes, WatchSizes {
  /** How often each list is requested; the median counts. */
  readonly repeats: number;
  /** How long memory may take to settle, in milliseconds. */
  readonly patience: number;
  readonly sandboxOnly: boolean;
  readonly json: string | undefined;
  /** The folder with KubeVirt's definitions. */
  readonly definitions: string;
}

export const usage = `usage: make bench ARGS='[options]'

  --objects N        objects of each kind that are created and listed (10000)
  --watchers N       watchers at once (100)
  --connections N    connections that write at once (16)
  --quick            a tenth of everything, for a look
  --sandbox-only     leave the real kube-apiserver out
  --crds FOLDER      where virtualmachines.kubevirt.io.yaml is; without it a small definition of our own is used
  --json FILE        write the figures there as well

make bench ARGS='simulators --help' tells how machines that start and change are measured.
`;

const repository = resolve(import.meta.dirname, '../..');

/** Undefined if only the usage text is requested. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      objects: { type: 'string' },
      watchers: { type: 'string' },
      connections: { type: 'string' },
      quick: { type: 'boolean', default: false },
      'sandbox-only': { type: 'boolean', default: false },
      crds: { type: 'string', default: resolve(repository, '../shared/upstream-crds') },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const objects = count('objects', values.objects, values.quick ? 1000 : 10_000);
  return {
    objects,
    patches: Math.max(10, Math.ceil(objects / 10)),
    alone: Math.max(10, Math.ceil(objects / 20)),
    connections: count('connections', values.connections, 16),
    watchers: count('watchers', values.watchers, values.quick ? 20 : 100),
    flood: Math.max(5, Math.ceil(objects / 10)),
    single: Math.max(5, Math.ceil(objects / 50)),
    repeats: values.quick ? 2 : 3,
    // V8 and Go collect on their own only after some idle seconds, which a small run need not wait for.
    patience: objects < 5000 ? 300 : 15_000,
    sandboxOnly: values['sandbox-only'],
    definitions: resolve(values.crds),
    json: values.json,
  };
}

function count(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name}: "${text}" is not a number of at least 1`);
  return Number(text);
}
