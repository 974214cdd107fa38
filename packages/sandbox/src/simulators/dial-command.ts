/** `ssvirt sandbox dial`: shows and changes the dials of running simulators. */
import type { Command } from 'commander';
import { BadValue } from '@ssvirt/base/config/values';
import { faultKinds } from './dials.ts';
import { FAULT_FORM } from './fault-text.ts';

export interface DialRequest {
  /** Each one is `NAME=VALUE`. */
  readonly settings: readonly string[];
  readonly fault?: readonly string[];
  readonly lift?: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
}

const EXAMPLES = `
Faults: ${FAULT_FORM}. KIND is one of
  ${faultKinds.join('\n  ')}

Examples:
  ssvirt sandbox dial                                 show all dials
  ssvirt sandbox dial speed=10 boot-time=1s           ten times as fast, and machines boot in a second
  ssvirt sandbox dial --fault import-fails,shop/db    the import of the disk db in the namespace shop fails
  ssvirt sandbox dial --lift import-fails             end that fault; --lift all ends every fault

The dials are stored in the ConfigMap ssvirt-simulators in the namespace kubevirt. A change takes effect at once.`;

export function registerDialCommand(sandbox: Command): void {
  sandbox
    .command('dial [NAME=VALUE...]')
    .description('show or change the dials of running simulators: speed, times, nodes, faults')
    .option('--fault <FAULT...>', 'add a fault')
    .option('--lift <KIND...>', 'end all faults of a kind, one fault, or all faults')
    .option(
      '--kubeconfig <FILE>',
      'the kubeconfig that the sandbox wrote (default: $KUBECONFIG, else ./sandbox.kubeconfig)',
    )
    .option('--context <NAME>', 'the cluster, if there are several')
    .addHelpText('after', EXAMPLES)
    .action(async (settings: string[], options: Omit<DialRequest, 'settings'>) => {
      const { turnDials } = await import('./turn-dials.ts');
      try {
        process.stdout.write(await turnDials({ settings, ...options }));
      } catch (error) {
        if (!(error instanceof BadValue)) throw error;
        process.stderr.write(`ssvirt: ${error.message}\n`);
        process.exitCode = 1;
      }
    });
}
