/** A running `ssvirt sandbox aap`. */
import { readFileSync } from 'node:fs';
import type { Config } from '@ssvirt/base/config/keys';
import { createLogger } from '@ssvirt/base/config/log';
import { ConfigError } from '@ssvirt/base/config/setting';
import { createClient } from '@ssvirt/kube/client/create';
import { KubeconfigError, loadKubeconfig, type KubeconfigSource } from '@ssvirt/kube/kubeconfig/load';
import type { AapRequest } from './command.ts';
import { AapServer, type Job } from './server.ts';

/** A job of AAP takes about half a minute: some seconds of its own, the rest for the VM. */
const stepMs = 1500;
/** The role's timeout. */
const waitMs = 600_000;

/** `runAap` runs until a signal ends it. */
export async function runAap(request: AapRequest, { sandbox: { speed }, log: logging }: Config): Promise<void> {
  let isEnding = false;
  const ended = new Promise<void>((done) => {
    const end = (): void => {
      isEnding = true;
      done();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  });
  const log = createLogger(logging);
  const source = await sourceOf(request);
  const client = createClient({ cluster: 'aap', source, userAgent: 'ssvirt-sandbox-aap' });
  const aap = new AapServer({
    client,
    address: request.listen,
    ...(request.tokenFile === undefined ? {} : { token: tokenOf(request.tokenFile) }),
    dials: { stepMs: stepMs / speed, waitMs: waitMs / speed },
    onEnd: ({ action, order, state, error }: Job) =>
      // A job that is cut off because this process ends is not reported as failed.
      state === 'failed' && !isEnding
        ? log.warn({ order, action, error }, 'a job of the simulated AAP has failed')
        : log.info({ order, action }, 'a job of the simulated AAP has ended'),
  });
  try {
    await listening(aap);
    process.stdout.write(`The simulated AAP is up: ${aap.createUrl} and ${aap.deleteUrl}\n`);
    await ended;
  } finally {
    await aap.stop();
    await client.close();
  }
}

async function sourceOf({ kubeconfig, context }: AapRequest): Promise<KubeconfigSource> {
  try {
    return await loadKubeconfig({ path: kubeconfig, ...(context === undefined ? {} : { context }) });
  } catch (error) {
    if (error instanceof KubeconfigError) throw new ConfigError([error.message]);
    throw error;
  }
}

function tokenOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError([`--token-file: cannot read "${file}": ${(error as Error).message}`]);
  }
}

async function listening(aap: AapServer): Promise<void> {
  try {
    await aap.up();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'another process uses the port: choose another port' : message;
    throw new ConfigError([`--listen: cannot listen for webhooks: ${why}`]);
  }
}
