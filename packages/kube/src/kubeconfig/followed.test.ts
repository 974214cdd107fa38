import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { describe, test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { base64, type Folder, identities, simple, throwAwayFolder } from '../../../../test/kubeconfig/harness.ts';
import { KubeError } from '../errors.ts';
import { FakeClock } from '../fake-clock.ts';
import { type KubeconfigSource, loadKubeconfig } from './load.ts';

interface Following {
  readonly folder: Folder;
  readonly clock: FakeClock;
  readonly source: KubeconfigSource;
  readonly warnings: string[];
  readonly authorization: () => Promise<unknown>;
}

async function following(
  context: TestContext,
  user: object,
  files: Readonly<Record<string, string>>,
  cluster: object = {},
): Promise<Following> {
  const folder = await throwAwayFolder(context);
  for (const [name, content] of Object.entries(files)) await folder.write(name, content);
  const path = await folder.write('config', simple({ user, cluster }));
  const clock = new FakeClock();
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const source = await loadKubeconfig({ path, clock, log });
  return {
    folder,
    clock,
    source,
    warnings,
    authorization: async () => (await source.current()).headers['Authorization'],
  };
}

describe('a token file', () => {
  test('T1: a rotated token is used within a minute, with the same TLS identity', async (context) => {
    const { folder, clock, source, authorization } = await following(
      context,
      { tokenFile: 'token' },
      { token: 'one\n' },
    );
    const before = await source.current();
    assert.equal(before.headers['Authorization'], 'Bearer one');
    await folder.write('token', 'two\n');
    await clock.advance(59_000);
    assert.equal(await source.current(), before, 'the file is not looked at for each request');
    await clock.advance(1_000);
    assert.equal(await authorization(), 'Bearer two');
    assert.equal((await source.current()).tls, before.tls);
  });

  test('a look at an unchanged file leaves the connection the same object', async (context) => {
    const { clock, source } = await following(context, { tokenFile: 'token' }, { token: 'one' });
    const before = await source.current();
    await clock.advance(300_000);
    assert.equal(await source.current(), before);
  });

  test('token rotation: 401 makes it read at once, for all who were refused', async (context) => {
    const { folder, source, authorization } = await following(context, { tokenFile: 'token' }, { token: 'one' });
    const connection = await source.current();
    assert.equal(await source.refused(connection), false, 'nothing has changed');
    await folder.write('token', 'two');
    const answers = await Promise.all(Array.from({ length: 20 }, () => source.refused(connection)));
    assert.deepEqual(new Set(answers), new Set([true]));
    assert.equal(await authorization(), 'Bearer two');
  });

  for (const { name, spoil } of [
    { name: 'gone', spoil: (file: string) => rm(file) },
    { name: 'empty', spoil: (file: string) => writeFile(file, '\n') },
    { name: 'a folder', spoil: (file: string) => rm(file).then(() => rename(`${file}.d`, file)) },
  ])
    test(`the last token is kept while the file is ${name}, with a warning, and the next one is found soon`, async (context) => {
      const files = { token: 'one', 'token.d/x': '' };
      const { folder, clock, authorization, warnings } = await following(context, { tokenFile: 'token' }, files);
      await authorization();
      await spoil(folder.at('token'));
      await clock.advance(60_000);
      assert.equal(await authorization(), 'Bearer one');
      assert.match(warnings.join(''), /cannot read file/);
      await rm(folder.at('token'), { recursive: true, force: true });
      await folder.write('token', 'two');
      await clock.advance(5_000);
      assert.equal(await authorization(), 'Bearer two');
    });

  test('without a file there are no credentials, until there is one', async (context) => {
    const { folder, authorization } = await following(context, { tokenFile: 'token' }, {});
    await assert.rejects(authorization(), (error) => {
      assert.ok(error instanceof KubeError);
      assert.equal(error.kind, 'Credentials');
      assert.match(error.message, /cannot read the token file .*token: ENOENT/);
      return true;
    });
    await folder.write('token', 'late');
    assert.equal(await authorization(), 'Bearer late');
  });

  test('a token beside the file is used until the file is there, and never after', async (context) => {
    const { folder, clock, authorization } = await following(context, { token: 'inline', tokenFile: 'token' }, {});
    assert.equal(await authorization(), 'Bearer inline');
    await folder.write('token', 'file');
    await clock.advance(5_000);
    assert.equal(await authorization(), 'Bearer file');
    await rm(folder.at('token'));
    await clock.advance(60_000);
    assert.equal(await authorization(), 'Bearer file');
  });
});

describe('certificate files', () => {
  test('T1: a rotated client certificate and authority are used within a minute', async (context) => {
    const { authority, otherAuthority, first, second } = await identities();
    const { folder, clock, source } = await following(
      context,
      { 'client-certificate': 'cert', 'client-key': 'key' },
      { cert: first.certificate, key: first.key, ca: authority },
      { 'certificate-authority': 'ca' },
    );
    const before = await source.current();
    assert.deepEqual(before.tls, { ca: authority, cert: first.certificate, key: first.key });
    await clock.advance(60_000);
    assert.equal(await source.current(), before, 'unchanged files are the same connection');
    await folder.write('cert', second.certificate);
    await folder.write('key', second.key);
    await folder.write('ca', authority + otherAuthority);
    await clock.advance(60_000);
    const { tls } = await source.current();
    assert.deepEqual(tls, { ca: authority + otherAuthority, cert: second.certificate, key: second.key });
  });

  test('a pair that is half written is not used', async (context) => {
    const { first, second } = await identities();
    const { folder, clock, source, warnings } = await following(
      context,
      { 'client-certificate': 'cert', 'client-key': 'key' },
      { cert: first.certificate, key: first.key },
    );
    const before = await source.current();
    await folder.write('cert', second.certificate);
    await clock.advance(60_000);
    assert.equal(await source.current(), before);
    assert.match(warnings.join(''), /the client key does not belong to the client certificate/);
    assert.doesNotMatch(warnings.join(''), /PRIVATE KEY/);
    await folder.write('key', second.key);
    await clock.advance(5_000);
    assert.equal((await source.current()).tls.cert, second.certificate);
  });

  test('a certificate in the kubeconfig and its key in a file belong together', async (context) => {
    const { first } = await identities();
    const user = { 'client-certificate-data': base64(first.certificate), 'client-key': 'key' };
    const { source } = await following(context, user, { key: first.key });
    assert.deepEqual((await source.current()).tls, { cert: first.certificate, key: first.key });
  });

  test('an error about an invalid authority names its file', async (context) => {
    const { source } = await following(
      context,
      { token: 't' },
      { ca: 'no certificate' },
      { 'certificate-authority': 'ca' },
    );
    await assert.rejects(
      source.current(),
      /cannot read the certificate authority .*ca: it contains no PEM certificate/,
    );
  });
});

describe('the kubeconfig itself', () => {
  test('401: an inline token that was replaced is used', async (context) => {
    const { folder, source, authorization } = await following(context, { token: 'one' }, {});
    const connection = await source.current();
    assert.equal(await source.refused(connection), false, 'nothing has changed');
    await folder.write('config', simple({ user: { token: 'two' } }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => source.refused(connection)));
    assert.deepEqual(new Set(answers), new Set([true]));
    assert.equal(await authorization(), 'Bearer two');
    assert.equal(await source.refused(await source.current()), false);
  });

  test('a file that leads to another server now is not followed', async (context) => {
    const { folder, source, authorization, warnings } = await following(context, { token: 'one' }, {});
    const connection = await source.current();
    await folder.write('config', simple({ cluster: { server: 'https://west.example' }, user: { token: 'two' } }));
    assert.equal(await source.refused(connection), false);
    assert.equal(await authorization(), 'Bearer one');
    assert.match(warnings.join(''), /changed its server/);
  });

  test('a file that is broken now changes nothing', async (context) => {
    const { folder, source, authorization, warnings } = await following(context, { token: 'one' }, {});
    const connection = await source.current();
    await folder.write('config', 'token: "two');
    assert.equal(await source.refused(connection), false);
    assert.equal(await authorization(), 'Bearer one');
    assert.match(warnings.join(''), /it is not valid YAML/);
    await folder.write('config', simple({ user: { token: 'three' } }));
    assert.equal(await source.refused(connection), true);
    assert.equal(await authorization(), 'Bearer three');
  });
});
