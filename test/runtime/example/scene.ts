/** A sandbox, and the controller of the example in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { parse } from 'yaml';
import { createClient, find, type Client } from '@ssvirt/kube';
import { startSandbox } from '../../cluster/sandbox.ts';
import { configMaps, greetings, type ConfigMap, type Greeting } from './kinds.ts';

const root = resolve(import.meta.dirname, '../../..');

export interface Urls {
  readonly health?: string;
  readonly metrics?: string;
}

export interface ExampleScene {
  readonly client: Client;
  readonly controller: ChildProcess;
  /** The URLs of health and metrics, as the process logs them. */
  readonly urls: Promise<Urls>;
  readonly greeting: () => Promise<Greeting | undefined>;
  readonly configMap: () => Promise<ConfigMap | undefined>;
}

export const key = { namespace: 'default', name: 'first' };

/** `startExample` runs the `main.ts` of `folder`. */
export async function startExample(t: TestContext, folder: string): Promise<ExampleScene> {
  const sandbox = await startSandbox({ args: ['--log-level', 'warn'] });
  t.after(() => sandbox.stop());
  const { url, ca, token } = sandbox;
  const connection = { server: url, tls: { ca }, headers: { authorization: `Bearer ${token}` } };
  const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
  const client = createClient({ cluster: 'sandbox', source, userAgent: 'example-test' });
  t.after(() => client.close());
  await client.request({
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: parse(readFileSync(join(import.meta.dirname, 'greetings.crd.yaml'), 'utf8')),
  });
  const controller = spawn(join(root, 'bin/node'), [join(folder, 'main.ts')], {
    env: { ...process.env, KUBECONFIG: sandbox.adminKubeconfig, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => controller.kill('SIGKILL'));
  return {
    client,
    controller,
    urls: servedAt(controller.stdout),
    greeting: () => find(client, greetings, key),
    configMap: () => find(client, configMaps, key),
  };
}

function servedAt(log: Readable): Promise<Urls> {
  // Reads to the end, because nothing else empties the pipe.
  const first = Promise.withResolvers<Urls>();
  createInterface({ input: log })
    .on('line', (text) => {
      const { msg, ...urls } = JSON.parse(text) as Urls & { readonly msg: string };
      if (msg === 'serving') first.resolve(urls);
    })
    .on('close', () => first.reject(new Error('it ended and did not say where it serves')));
  return first.promise;
}
