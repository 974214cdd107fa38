import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { base64, type Folder, identities, simple, throwAwayFolder } from '../../../../../test/kubeconfig/harness.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { KubeError } from '../../errors.ts';
import { FakeClock } from '../../fake-clock.ts';
import { KubeconfigError, type KubeconfigSource, loadKubeconfig, type LoadOptions } from '../load.ts';

const V1 = 'client.authentication.k8s.io/v1';
const V1BETA1 = 'client.authentication.k8s.io/v1beta1';

interface Plugin {
  readonly folder: Folder;
  readonly source: KubeconfigSource;
  readonly clock: FakeClock;
  /** Sets the plugin's output from now on. */
  readonly answer: (status: object, more?: object) => Promise<void>;
  readonly token: (signal?: AbortSignal) => Promise<unknown>;
}

interface PluginSetup extends LoadOptions {
  readonly exec?: object;
  readonly cluster?: object;
  readonly body?: string;
  readonly user?: object;
}

async function withPlugin(context: TestContext, setup: PluginSetup = {}): Promise<Plugin> {
  const { exec, cluster, user, body = 'cat answer', ...options } = setup;
  const folder = await throwAwayFolder(context);
  await folder.plugin(`cd '${folder.path}'\n${body}`);
  const entry = { apiVersion: V1, command: './plugin', interactiveMode: 'Never', ...exec };
  const path = await folder.write('config', simple({ cluster: cluster ?? {}, user: { exec: entry, ...user } }));
  const clock = new FakeClock();
  const source = await loadKubeconfig({ path, clock, terminal: false, ...options });
  const answer: Plugin['answer'] = async (status, more) => {
    await folder.write('answer', JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status, ...more }));
  };
  await answer({ token: 'one' });
  return {
    folder,
    source,
    clock,
    answer,
    token: async (signal) => (await source.current(signal)).headers['Authorization'],
  };
}

const inSeconds = (clock: FakeClock, seconds: number): string =>
  new Date(clock.date().getTime() + seconds * 1000).toISOString();

async function failureOf(work: Promise<unknown>): Promise<KubeError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof KubeError, `a KubeError, not ${String(error)}`);
  assert.equal(error.kind, 'Credentials');
  return error;
}

describe('the input of the plugin', () => {
  test('has the version, says that it cannot prompt, and has nothing of the cluster', async (context) => {
    const { token, folder } = await withPlugin(context);
    assert.equal(await token(), 'Bearer one');
    assert.deepEqual(await folder.runs(), [{ kind: 'ExecCredential', apiVersion: V1, spec: { interactive: false } }]);
  });

  test('the cluster with its authority and extension, where the kubeconfig says so', async (context) => {
    const { authority } = await identities();
    const { token, folder } = await withPlugin(context, {
      exec: { provideClusterInfo: true },
      cluster: {
        server: 'https://east.example:6443/prefix/',
        'certificate-authority-data': base64(authority),
        'tls-server-name': 'api.east',
        'proxy-url': 'http://proxy.example:3128',
        extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'east' } }],
      },
    });
    await token();
    assert.deepEqual((await folder.runs())[0]?.spec.cluster, {
      server: 'https://east.example:6443/prefix',
      'tls-server-name': 'api.east',
      'certificate-authority-data': base64(authority),
      'proxy-url': 'http://proxy.example:3128',
      config: { audience: 'east' },
    });
  });

  test('its arguments and variables, which cannot hide what we tell it', async (context) => {
    const { token } = await withPlugin(context, {
      exec: {
        args: ['first', 'with space'],
        env: [
          { name: 'OWN', value: 'mine' },
          { name: 'KUBERNETES_EXEC_INFO', value: 'hidden' },
        ],
      },
      env: { PATH: process.env['PATH'], INHERITED: 'ours' },
      body: `case "$KUBERNETES_EXEC_INFO" in *interactive*) told=yes;; esac
printf '{"kind":"ExecCredential","apiVersion":"${V1}","status":{"token":"%s"}}' "$#-$2-$OWN-$INHERITED-$told" | tr ' ' _`,
    });
    assert.equal(await token(), 'Bearer 2-with_space-mine-ours-yes');
  });

  test('v1beta1 needs no interactiveMode, and is asked in its own version', async (context) => {
    const { token, folder, answer } = await withPlugin(context, {
      exec: { apiVersion: V1BETA1, interactiveMode: undefined },
    });
    await answer({ token: 'beta' }, { apiVersion: V1BETA1 });
    assert.equal(await token(), 'Bearer beta');
    assert.equal((await folder.runs())[0]?.apiVersion, V1BETA1);
  });

  test('a plugin with a bare name is found on the PATH', async (context) => {
    const folder = await throwAwayFolder(context);
    await folder.plugin(`cat '${folder.at('answer')}'`, 'bin/east-login');
    await folder.write(
      'answer',
      JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status: { token: 'found' } }),
    );
    const exec = { apiVersion: V1, command: 'east-login', interactiveMode: 'Never' };
    const path = await folder.write('config', simple({ user: { exec } }));
    const source = await loadKubeconfig({ path, env: { PATH: `${folder.at('bin')}:${process.env['PATH']}` } });
    assert.equal((await source.current()).headers['Authorization'], 'Bearer found');
  });
});

describe('how often it runs', () => {
  test('once for many who ask at the same time, and the connection stays the same object', async (context) => {
    const { source, folder } = await withPlugin(context);
    const connections = await Promise.all(Array.from({ length: 50 }, () => source.current()));
    assert.equal(new Set(connections).size, 1);
    assert.equal(await source.current(), connections[0]);
    assert.equal((await folder.runs()).length, 1);
  });

  test('before the credentials end, in the background, while the old ones are used', async (context) => {
    const { token, folder, answer, clock, source } = await withPlugin(context);
    await answer({ token: 'one', expirationTimestamp: inSeconds(clock, 600) });
    assert.equal(await token(), 'Bearer one');
    const before = await source.current();
    await answer({ token: 'two', expirationTimestamp: inSeconds(clock, 1200) });
    await clock.advance(539_000);
    assert.equal(await token(), 'Bearer one');
    assert.equal((await folder.runs()).length, 1, 'more than a minute is left');
    await clock.advance(2_000);
    assert.equal(await token(), 'Bearer one', 'nobody waits for the new ones');
    await until('the new credentials are used', async () => (await token()) === 'Bearer two');
    assert.equal((await folder.runs()).length, 2);
    const after = await source.current();
    assert.notEqual(after, before);
    assert.equal(after.tls, before.tls, 'T1: a new token needs no new connections');
  });

  test('when they have ended, and whoever asks waits for the new ones', async (context) => {
    const { token, answer, clock } = await withPlugin(context);
    await answer({ token: 'one', expirationTimestamp: inSeconds(clock, 600) });
    await token();
    await answer({ token: 'two' });
    await clock.advance(601_000);
    assert.equal(await token(), 'Bearer two');
  });

  test('not for each request where the plugin gives credentials that have ended already', async (context) => {
    const { token, folder, answer, clock } = await withPlugin(context);
    await answer({ token: 'late', expirationTimestamp: inSeconds(clock, -5) });
    for (let request = 0; request < 5; request++) assert.equal(await token(), 'Bearer late');
    assert.equal((await folder.runs()).length, 1);
  });

  test('the old credentials are used to their end while the plugin fails', async (context) => {
    const { token, folder, answer, clock } = await withPlugin(context, {
      body: 'test -e broken && exit 1; cat answer',
    });
    await answer({ token: 'one', expirationTimestamp: inSeconds(clock, 600) });
    await token();
    await folder.write('broken', '');
    await clock.advance(550_000);
    await token();
    await until('the plugin has failed', async () => (await folder.runs()).length === 2);
    assert.equal(await token(), 'Bearer one');
    await clock.advance(60_000);
    await failureOf(token());
  });

  test('a plugin that fails is not run again at once, however many ask', async (context) => {
    const { token, folder, clock } = await withPlugin(context, { body: 'test -e broken && exit 1; cat answer' });
    await folder.write('broken', '');
    for (let request = 0; request < 5; request++) await failureOf(token());
    assert.equal((await folder.runs()).length, 1);
    await clock.advance(1_300);
    await failureOf(token());
    assert.equal((await folder.runs()).length, 2);
  });
});

describe('after the server has refused', () => {
  test('401: fresh credentials are fetched once for all who were refused', async (context) => {
    const { source, folder, answer, token } = await withPlugin(context);
    const connection = await source.current();
    await answer({ token: 'two' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => source.refused(connection)));
    assert.deepEqual(new Set(answers), new Set([true]));
    assert.equal(await token(), 'Bearer two');
    assert.equal(await source.refused(connection), true, 'one that comes late is told that there are others already');
    assert.equal((await folder.runs()).length, 2);
  });

  test('401: a refusal of credentials that were replaced long ago runs no plugin', async (context) => {
    const { source, folder, answer, clock } = await withPlugin(context);
    const connection = await source.current();
    await answer({ token: 'two' });
    await source.refused(connection);
    await clock.advance(10_000);
    assert.equal(await source.refused(connection), true);
    assert.equal((await folder.runs()).length, 2);
  });

  test('401: another attempt makes no sense when the plugin gives the same, and it is not asked again at once', async (context) => {
    const { source, folder, clock } = await withPlugin(context);
    const connection = await source.current();
    assert.equal(await source.refused(connection), false);
    assert.equal(await source.current(), connection);
    assert.equal(await source.refused(connection), false);
    assert.equal((await folder.runs()).length, 2);
    await clock.advance(5_001);
    assert.equal(await source.refused(connection), false);
    assert.equal((await folder.runs()).length, 3);
  });
});

describe('client certificates', () => {
  test('they go into the TLS identity, and another certificate is another identity', async (context) => {
    const { first, second } = await identities();
    const { source, answer } = await withPlugin(context);
    await answer({ clientCertificateData: first.certificate, clientKeyData: first.key });
    const before = await source.current();
    assert.equal(before.tls.cert, first.certificate);
    assert.equal(before.tls.key, first.key);
    assert.deepEqual(before.headers, {});
    await answer({ clientCertificateData: second.certificate, clientKeyData: second.key });
    assert.equal(await source.refused(before), true);
    assert.equal((await source.current()).tls.cert, second.certificate);
  });
});

describe('answers that are none', () => {
  const secret = 'very-secret';
  const cases: readonly { readonly name: string; readonly output: string; readonly expected: RegExp }[] = [
    { name: 'no JSON', output: `token ${secret}`, expected: /its answer is not a JSON object/ },
    {
      name: 'a list',
      output: `["${secret}"]`,
      expected: /not an ExecCredential of client\.authentication\.k8s\.io\/v1/,
    },
    {
      name: 'another version',
      output: JSON.stringify({ kind: 'ExecCredential', apiVersion: V1BETA1, status: { token: secret } }),
      expected: /not an ExecCredential of client\.authentication\.k8s\.io\/v1/,
    },
    {
      name: 'no status',
      output: JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, token: secret }),
      expected: /no status/,
    },
    {
      name: 'nothing in it',
      output: JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status: { other: secret } }),
      expected: /neither a token nor a client certificate/,
    },
    {
      name: 'a key alone',
      output: JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status: { clientKeyData: secret } }),
      expected: /a key without a certificate/,
    },
    {
      name: 'a certificate that is none',
      output: JSON.stringify({
        kind: 'ExecCredential',
        apiVersion: V1,
        status: { clientCertificateData: secret, clientKeyData: secret },
      }),
      expected: /the client certificate is not a PEM certificate/,
    },
    {
      name: 'a token with a line break',
      output: JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status: { token: `${secret}\n` } }),
      expected: /contains spaces, line breaks/,
    },
    {
      name: 'a token that is no text',
      output: JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status: { token: [secret] } }),
      expected: /status\.token of its answer is not a string/,
    },
    {
      name: 'a time that is none',
      output: JSON.stringify({
        kind: 'ExecCredential',
        apiVersion: V1,
        status: { token: secret, expirationTimestamp: 'soon' },
      }),
      expected: /expirationTimestamp/,
    },
  ];
  for (const { name, output, expected } of cases)
    test(`${name}: the error says so and keeps the answer to itself`, async (context) => {
      const { token, folder } = await withPlugin(context);
      await folder.write('answer', output);
      const error = await failureOf(token());
      assert.match(error.message, expected);
      assert.doesNotMatch(JSON.stringify([error.message, error.stack, error.cause]), new RegExp(secret));
    });

  test('a key of another certificate is refused', async (context) => {
    const { first, second } = await identities();
    const { token, answer } = await withPlugin(context);
    await answer({ clientCertificateData: first.certificate, clientKeyData: second.key });
    assert.match((await failureOf(token())).message, /the client key does not belong to the client certificate/);
  });
});

describe('plugins that misbehave', () => {
  test('one that fails: its exit code and complaint are reported, its output and what looks like a secret are not', async (context) => {
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl';
    const { token } = await withPlugin(context, {
      exec: { env: [{ name: 'PASSWORD', value: 'open-sesame' }] },
      body: `echo 'output-secret'; printf '\\033[31mlogin "%s"\\n failed: %s' "$PASSWORD" ${jwt} >&2; exit 3`,
    });
    const { message } = await failureOf(token());
    assert.match(
      message,
      /cannot get credentials from .*plugin: it ended with exit code 3, saying: login "\[hidden\]" failed: \[hidden\]$/,
    );
    assert.doesNotMatch(message, /output-secret|open-sesame|eyJ/);
  });

  test('one that does not exist: the error has the hint of the kubeconfig', async (context) => {
    const { token } = await withPlugin(context, {
      exec: { command: './missing', installHint: 'Install it by\n`brew install east`' },
    });
    assert.match(
      (await failureOf(token())).message,
      /missing: the program was not found\. Install it by `brew install east`/,
    );
  });

  test('one that cannot be run has an error of its own', async (context) => {
    const { token, folder } = await withPlugin(context, { exec: { command: './text' } });
    await folder.write('text', 'no program');
    assert.match((await failureOf(token())).message, /it cannot be started \(EACCES\)/);
  });

  test('one that hangs is ended at its deadline, with what it started', async (context) => {
    const { token, folder, clock } = await withPlugin(context, {
      body: 'sleep 300 & echo $! > child; echo waiting >&2; touch started; wait',
      timeoutMs: 10_000,
    });
    const failure = failureOf(token());
    await until('it has started', () => readFile(folder.at('started')).then(() => true));
    await clock.advance(9_000);
    const child = Number(await readFile(folder.at('child'), 'utf8'));
    assert.ok(isAlive(child));
    await clock.advance(1_000);
    assert.match((await failure).message, /it took longer than 10 s, saying: waiting/);
    await until('what it started is ended', () => !isAlive(child));
  });

  test('one that does not heed the polite signal is killed', async (context) => {
    const { token, folder, clock } = await withPlugin(context, {
      body: "trap '' TERM; echo $$ > pid; touch started; while :; do sleep 1; done",
      timeoutMs: 10_000,
    });
    const failure = failureOf(token());
    await until('it has started', () => readFile(folder.at('started')).then(() => true));
    await clock.advance(12_000);
    assert.match((await failure).message, /it took longer than 10 s/);
    const pid = Number(await readFile(folder.at('pid'), 'utf8'));
    await until('it is ended', () => !isAlive(pid));
  });

  test('one that prints without end is ended', async (context) => {
    const { token } = await withPlugin(context, {
      body: 'while :; do echo 0123456789012345678901234567890123456789; done',
    });
    assert.match((await failureOf(token())).message, /it printed more than 1 MiB/);
  });

  test('one that leaves a program behind, which holds its output open, has answered all the same', async (context) => {
    const { token, clock, folder } = await withPlugin(context, { body: 'sleep 300 & echo $! > child; cat answer' });
    const waiting = token();
    await until('only what it left behind is waited for', () => clock.next === 2_000);
    await clock.advance(2_000);
    assert.equal(await waiting, 'Bearer one');
    process.kill(Number(await readFile(folder.at('child'), 'utf8')));
  });

  test('one that must ask a person is not run where there is no terminal', async (context) => {
    const { token, folder } = await withPlugin(context, { exec: { interactiveMode: 'Always' } });
    assert.match((await failureOf(token())).message, /needs a terminal/);
    assert.deepEqual(await folder.runs(), []);
  });

  test('one that would prompt learns that there is no terminal', async (context) => {
    const { token, folder } = await withPlugin(context, { exec: { interactiveMode: 'IfAvailable' } });
    await token();
    assert.equal((await folder.runs())[0]?.spec.interactive, false);
  });
});

describe('who waits', () => {
  test('giving up ends the waiting of one, not the run that others wait for', async (context) => {
    const { token, folder } = await withPlugin(context, {
      body: 'while ! test -e go; do sleep 0.02; done; cat answer',
    });
    const patient = token();
    const leaving = new AbortController();
    const impatient = token(leaving.signal);
    leaving.abort();
    await assert.rejects(impatient, (error) => error instanceof KubeError && error.kind === 'Aborted');
    await assert.rejects(token(leaving.signal), (error) => error instanceof KubeError && error.kind === 'Aborted');
    await folder.write('go', '');
    assert.equal(await patient, 'Bearer one');
    assert.equal((await folder.runs()).length, 1);
  });

  test('a user with a token of its own needs no plugin', async (context) => {
    const { token, folder } = await withPlugin(context, { user: { token: 'own' } });
    assert.equal(await token(), 'Bearer own');
    assert.deepEqual(await folder.runs(), []);
  });
});

describe('entries that make no sense', () => {
  const cases: readonly { readonly exec: object; readonly field: string }[] = [
    { exec: { command: '' }, field: 'command' },
    { exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1' }, field: 'apiVersion' },
    { exec: { apiVersion: undefined }, field: 'apiVersion' },
    { exec: { interactiveMode: undefined }, field: 'interactiveMode' },
    { exec: { interactiveMode: 'Sometimes' }, field: 'interactiveMode' },
    { exec: { env: [{ value: 'nameless' }] }, field: 'env' },
  ];
  for (const { exec, field } of cases)
    test(`${inspect(exec)} is refused by the name of the field`, async (context) => {
      await assert.rejects(withPlugin(context, { exec }), (error) => {
        assert.ok(error instanceof KubeconfigError);
        assert.equal(error.field, `users[ann].user.exec.${field}`);
        return true;
      });
    });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie remains until its parent waits for it, and the new parent of an orphan may take its time.
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // There is no process with this id.
    return false;
  }
}
