/** The controller in the README of `@ssvirt/kube`: the page shows exactly this file, and it works. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { createClient, type KubeObject, type ResourceType } from '@ssvirt/kube';
import { startSandbox } from '../../cluster/sandbox.ts';
import { until } from '../until.ts';

const root = resolve(import.meta.dirname, '../../..');
const file = 'packages/kube/example/owner-label.ts';

test('the README shows the file as it is', () => {
  const page = readFileSync(join(root, 'packages/kube/README.md'), 'utf8');
  const [, shown] = /^```ts packages\/kube\/example\/owner-label\.ts\n(.*?)^```$/ms.exec(page) ?? [];
  assert.equal(shown, readFileSync(join(root, file), 'utf8'));
});

test(
  'the controller of the README labels namespaces, and puts a removed label back',
  { timeout: 120_000 },
  async (t) => {
    const sandbox = await startSandbox({ args: ['--log-level', 'warn'] });
    t.after(() => sandbox.stop());
    const { url, ca, token } = sandbox;
    const connection = { server: url, tls: { ca }, headers: { authorization: `Bearer ${token}` } };
    const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
    const client = createClient({ cluster: 'sandbox', source, userAgent: 'readme-test' });
    t.after(() => client.close());
    const controller = spawn(join(root, 'bin/node'), [file], {
      cwd: root,
      env: { ...process.env, KUBECONFIG: sandbox.adminKubeconfig, PORT: '0' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    t.after(() => controller.kill('SIGKILL'));

    const namespaces: ResourceType<KubeObject> = {
      group: '',
      version: 'v1',
      kind: 'Namespace',
      plural: 'namespaces',
      namespaced: false,
    };
    const key = { name: 'default' };
    const patch = (metadata: object): Promise<KubeObject> =>
      client.patch(namespaces, key, { type: 'merge', body: { metadata } });
    const labelIs = (owner: string | undefined) => async () =>
      (await client.get(namespaces, key)).metadata.labels?.['example.com/owner'] === owner;

    await patch({ annotations: { 'example.com/owner': 'blue' } });
    await until('the label is there', labelIs('blue'), { deadlineMs: 60_000 });
    await patch({ labels: { 'example.com/owner': 'red' } });
    await until('the label is right again', labelIs('blue'));
    await patch({ annotations: { 'example.com/owner': null } });
    await until('the label is gone', labelIs(undefined));
    controller.kill('SIGTERM');
    assert.equal((await once(controller, 'exit'))[0], 0);
  },
);
