/** `make e2e KUBECONFIG=…`: all three APIs of ssvirt against an existing cluster, real or simulated. */
import { createClient } from '../../packages/kube/src/client/create.ts';
import { KubeError } from '../../packages/kube/src/errors.ts';
import { KubeconfigError, loadKubeconfig } from '../../packages/kube/src/kubeconfig/load.ts';
import { Journal } from './journal.ts';
import { parseOptions, usage, UsageError, type Options } from './options.ts';
import { cleanAll, runAll } from './run.ts';

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(usage);
  else process.exitCode = await main(options);
} catch (error) {
  if (!(error instanceof UsageError || error instanceof KubeconfigError || error instanceof KubeError)) throw error;
  process.stderr.write(`ssvirt e2e: ${error.message}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${usage}`);
  process.exitCode = 2;
}

async function main(options: Options): Promise<number> {
  if ((process.env['KUBECONFIG'] ?? '') === '')
    throw new UsageError('which cluster? Say it by KUBECONFIG=FILE: nothing is done in one that happens to be current');
  const { context } = options;
  const source = await loadKubeconfig(context === undefined ? {} : { context });
  const { server } = await source.current();
  const journal = new Journal();
  const client = createClient({ cluster: server, source, userAgent: 'ssvirt-e2e', fieldManager: 'ssvirt-e2e' });
  const { signal, atOnce } = interrupts(journal);
  journal.say(`the cluster at ${server}`);
  try {
    const run = { client, options, journal, signal, atOnce };
    return await (options.clean ? cleanAll(run) : runAll(run));
  } finally {
    await client.close();
  }
}

/** `make` repeats a signal that the terminal has already sent to us: both are one Ctrl-C. */
const sameSignalMs = 1000;

function interrupts(journal: Journal): { readonly signal: AbortSignal; readonly atOnce: AbortSignal } {
  const first = new AbortController();
  const second = new AbortController();
  let firstAt: number | undefined;
  const heard = (): void => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      journal.say('interrupted: what was made is removed; once more, and it is only told what is left');
      first.abort();
    } else if (performance.now() - firstAt > sameSignalMs) second.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, heard);
  return { signal: first.signal, atOnce: second.signal };
}
