/** `ssvirt sandbox aap`: a stand-in for AAP, for the orders of one cluster. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { isLoopback, parseAddress, type Address } from '../../../config/address.ts';
import { addExamples } from '../../../config/examples.ts';
import { addConfigOptions, configOf, type Selection } from '../../../config/options.ts';

const ABOUT = `
It takes the webhooks of the cloudkit-operator at /create-vm and /delete-vm, and does what AAP's role ocp_virt_vm does, in the
same steps: Secrets, a DataVolume and a VirtualMachine in the namespace of the tenant, and the annotation that tells the operator
that all is made. It is no AAP: there are no job templates, no log of jobs, and no roles but this one. A job that runs when it is
stopped is not taken up again; the operator asks anew.`;

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
    .description('play AAP for the orders of a cluster: make what its role would make, when its webhooks are called')
    .requiredOption('--kubeconfig <FILE>', 'the kubeconfig of the cluster')
    .option('--context <NAME>', 'the context in it that is used instead of the current one')
    .addOption(
      new Option('--listen <HOST:PORT>', 'where the webhooks are taken; on loopback only')
        .argParser(loopback)
        .default({ host: '127.0.0.1', port: 0 }, '127.0.0.1:0'),
    )
    .option(
      '--token-file <FILE>',
      'a file with the bearer token that callers have to bring; none is asked for without it',
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

/** Whoever reaches it has things made by an administrator. */
function loopback(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined || !isLoopback(address))
    throw new InvalidArgumentError('It is no address of this machine alone: write 127.0.0.1:PORT.');
  return address;
}
