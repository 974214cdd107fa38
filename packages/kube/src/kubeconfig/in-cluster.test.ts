import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { identities, throwAwayFolder } from '../../../../test/kubeconfig/harness.ts';
import { KubeError } from '../errors.ts';
import { FakeClock } from '../fake-clock.ts';
import { inCluster, isInCluster, KubeconfigError } from './load.ts';

const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

describe('a pod', () => {
  test('T1: token and authority are read again while it runs, and the connection stays while they do', async (context) => {
    const { authority, otherAuthority } = await identities();
    const folder = await throwAwayFolder(context);
    await folder.write('token', 'one\n');
    await folder.write('ca.crt', authority);
    const clock = new FakeClock();
    const source = inCluster({ env, folder: folder.path, clock });
    const first = await source.current();
    assert.deepEqual(first, {
      server: 'https://10.96.0.1',
      tls: { ca: authority },
      headers: { Authorization: 'Bearer one' },
    });

    await clock.advance(120_000);
    assert.equal(await source.current(), first);

    await folder.write('token', 'two\n');
    await clock.advance(60_000);
    const second = await source.current();
    assert.deepEqual(second.headers, { Authorization: 'Bearer two' });
    assert.equal(second.tls, first.tls);

    await folder.write('ca.crt', authority + otherAuthority);
    await clock.advance(60_000);
    assert.deepEqual((await source.current()).tls, { ca: authority + otherAuthority });
  });

  test('token rotation: 401 makes it read at once', async (context) => {
    const folder = await throwAwayFolder(context);
    await folder.write('token', 'one');
    const source = inCluster({ env, folder: folder.path, clock: new FakeClock() });
    const connection = await source.current();
    assert.equal(await source.refused(connection), false);
    await folder.write('token', 'two');
    assert.equal(await source.refused(connection), true);
    assert.deepEqual((await source.current()).headers, { Authorization: 'Bearer two' });
  });

  test('without its authority the system is asked, as by client-go; without its token there are no credentials', async (context) => {
    const folder = await throwAwayFolder(context);
    await folder.write('token', 'one');
    assert.deepEqual((await inCluster({ env, folder: folder.path }).current()).tls, {});
    await rm(folder.at('token'));
    await assert.rejects(
      inCluster({ env, folder: folder.path }).current(),
      (error) =>
        error instanceof KubeError &&
        error.kind === 'Credentials' &&
        /token of the service account/.test(error.message),
    );
  });

  for (const { name, variables, file, expected } of [
    { name: 'that of its variable', variables: { POD_NAMESPACE: 'said' }, file: 'mounted\n', expected: 'said' },
    { name: 'that of its mount', variables: {}, file: 'mounted\n', expected: 'mounted' },
    { name: 'default', variables: {}, file: undefined, expected: 'default' },
  ])
    test(`its namespace is ${name}`, async (context) => {
      const folder = await throwAwayFolder(context);
      if (file !== undefined) await folder.write('namespace', file);
      assert.equal(inCluster({ env: { ...env, ...variables }, folder: folder.path }).namespace, expected);
    });

  test('is one only with its variables and its token', async (context) => {
    const folder = await throwAwayFolder(context);
    assert.equal(isInCluster({ env, folder: folder.path }), false);
    await folder.write('token', 'one');
    assert.equal(isInCluster({ env, folder: folder.path }), true);
    assert.equal(isInCluster({ env: { KUBERNETES_SERVICE_HOST: '10.96.0.1' }, folder: folder.path }), false);
    assert.throws(() => inCluster({ env: {}, folder: folder.path }), KubeconfigError);
  });
});
