/** `ssvirt sandbox aap`: simulates AAP for the orders of one cluster. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { isLoopback, parseAddress, type Address } from '@ssvirt/base/config/address';
import { addExamples } from '@ssvirt/base/config/examples';
import { addConfigOptions, configOf, type Selection } from '@ssvirt/base/config/options';

const ABOUT = `
It accepts the webhooks of the cloudkit-operator at /create-vm and /delete-vm, and does what AAP's role ocp_virt_vm does, in
the same steps: Secrets, a DataVolume and a VirtualMachine in the namespace of the tenant, and the annotation that tells the
operator that everything exists. It has no job templates, no job log, and no roles but this one. A job that runs when this
process stops is not resumed; the operator calls the webhook again.`;

export interface AapRequest {
  readonly kubeconfig: string;
  readonly context?: string;
  readonly listen: Address;
  readonly tokenFile?: string;
}

const selection: Selection = ({ path }) => path.startsWith('log.') || path === 'sandbox.speed';

export function registerAapCommand(sandbox: Command): void {
  const aap = sandbox
    .command('aap')
    .description(
      'simulate AAP for the orders of a cluster: its webhooks create the objects that the role of AAP would create',
    )
    .requiredOption('--kubeconfig <FILE>', 'the kubeconfig of the cluster')
    .option('--context <NAME>', 'the context to use instead of the current one')
    .addOption(
      new Option('--listen <HOST:PORT>', 'the address for webhooks, on the loopback interface only')
        .argParser(loopback)
        .default({ host: '127.0.0.1', port: 0 }, '127.0.0.1:0'),
    )
    .option(
      '--token-file <FILE>',
      'a file with the bearer token that callers must send; without it, no token is required',
    )
    .addHelpText('after', ABOUT);
  addConfigOptions(aap, 'sandbox', selection);
  addExamples(aap, [
    'ssvirt sandbox aap --kubeconfig sandbox.kubeconfig',
    'ssvirt sandbox aap --kubeconfig sandbox.kubeconfig --listen 127.0.0.1:8052 --token-file aap-token --speed 10',
  ]);
  aap.action(async (request: AapRequest) => {
    const { config } = configOf(aap, 'sandbox', selection);
    const { runAap } = await import('./run.ts');
    await runAap(request, config);
  });
}

/** Loopback only, because every caller can create objects as an administrator. */
function loopback(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined || !isLoopback(address))
    throw new InvalidArgumentError('It is not a loopback address: write 127.0.0.1:PORT.');
  return address;
}
