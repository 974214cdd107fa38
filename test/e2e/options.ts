/** The options of `make e2e ARGS='…'`. */
import { defined } from '@ssvirt/base/values/defined';
import { parseArgs } from 'node:util';
import { parseDuration } from '../../packages/base/src/config/duration.ts';

export const doors = ['tenant', 'machine', 'order'] as const;
export type Door = (typeof doors)[number];

export interface Options {
  /** The context of the kubeconfig; by default the current one. */
  readonly context?: string;
  readonly doors: readonly Door[];
  /** A container disk, as a container would name it. */
  readonly image: string;
  readonly memoryMb: number;
  readonly diskSize: string;
  /** By default that of the cluster. */
  readonly storageClass?: string;
  /**
   * A folder with a kubeconfig for each process, of the ServiceAccount of an installation: `api-server.kubeconfig` …
   */
  readonly accounts?: string;
  /** The deadline of each wait. */
  readonly timeoutMs: number;
  /** Whether to wait for a prompt on the serial console. */
  readonly console: boolean;
  /** Remove what earlier runs left, and do nothing else. */
  readonly clean: boolean;
  readonly verbose: boolean;
}

/** An invalid flag; the message is for the user at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `usage: make e2e KUBECONFIG=FILE [ARGS='…']

Gives a tenant, a platform team and an order system a virtual machine each, in the cluster of the kubeconfig, and takes all of it away again.

  --context NAME         the context of the kubeconfig (default: the current one)
  --doors LIST           of tenant,machine,order (default: all three)
  --image IMAGE          the container disk that boots (default: quay.io/kubevirt/cirros-container-disk-demo:v1.6.0)
  --memory-mb N          of each machine (default: 512)
  --disk-size SIZE       of each disk that is imported, more than the image needs (default: 2Gi)
  --storage-class NAME   of the disks (default: the default one of the cluster)
  --accounts FOLDER      run each process by its own kubeconfig there (api-server.kubeconfig …): with the rights of deploy/rbac, which are applied
  --timeout DURATION     for each thing that is waited for, such as a boot (default: 10m)
  --no-console           do not wait for a prompt on the serial console, for images that have none there
  --clean                remove what runs that were killed have left, and do nothing else
  --verbose              show what the processes log, not their errors alone
`;

const memoryLimits = { least: 64, most: 1_048_576 } as const;

export function parseOptions(args: readonly string[]): Options | 'help' {
  const { values } = parsed(args);
  if (values.help) return 'help';
  const { context, accounts, 'storage-class': storageClass } = values;
  return {
    ...defined({ context, accounts, storageClass }),
    doors: doorsOf(values.doors),
    image: values.image,
    memoryMb: wholeNumber('--memory-mb', values['memory-mb']),
    diskSize: values['disk-size'],
    timeoutMs: duration('--timeout', values.timeout),
    console: !values['no-console'],
    clean: values.clean,
    verbose: values.verbose,
  };
}

// The type of what parseArgs returns follows from what it is given.
// oxlint-disable-next-line typescript/explicit-function-return-type
function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        context: { type: 'string' },
        doors: { type: 'string', default: doors.join(',') },
        image: { type: 'string', default: 'quay.io/kubevirt/cirros-container-disk-demo:v1.6.0' },
        'memory-mb': { type: 'string', default: '512' },
        'disk-size': { type: 'string', default: '2Gi' },
        'storage-class': { type: 'string' },
        accounts: { type: 'string' },
        timeout: { type: 'string', default: '10m' },
        'no-console': { type: 'boolean', default: false },
        clean: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function doorsOf(text: string): readonly Door[] {
  const named = text.split(',').filter((word) => word !== '');
  const wrong = named.find((word) => !doors.some((door) => door === word));
  if (wrong !== undefined || named.length === 0)
    throw new UsageError(`--doors: "${wrong ?? text}" is no door: write some of ${doors.join(',')}`);
  return doors.filter((door) => named.includes(door));
}

function wholeNumber(flag: string, text: string): number {
  const number = Number(text);
  const { least, most } = memoryLimits;
  if (!Number.isInteger(number) || number < least || number > most)
    throw new UsageError(`${flag}: "${text}" is no whole number from ${least} to ${most}`);
  return number;
}

function duration(flag: string, text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds <= 0)
    throw new UsageError(`${flag}: "${text}" is no duration: write something such as 90s or 10m`);
  return milliseconds;
}
