/** The API server from outside: its certificate, its health, its first administrator, and how it stops. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../../../../../test/cluster/cluster.ts';
import { freePorts } from '../../../../../test/cluster/ports.ts';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { installKubeVirt, testTimes } from '../../../../../test/fleet/harness.ts';
import { startMemberCluster, type MemberCluster } from '../../../../../test/fleet/sandboxes.ts';
import { habits, openHalf, type Habit } from '../../../../../test/net/half-open.ts';
import {
  Caller,
  command,
  makeCertificates,
  startApiServer,
  unavailableClusters,
  type ApiServerProcess,
  type Certificates,
} from '../../../../../test/processes/api-server.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { schema } from '@ssvirt/base/config/keys';
import { loadConfig } from '@ssvirt/base/config/load';
import { runApiServer } from './process.ts';

const password = 'a password for tests only';
const deadline = { deadlineMs: 60_000 };

test('without a certificate it is refused to start, with a sentence', () => {
  const { status, stderr } = spawnSync(command, ['api-server'], {
    env: { PATH: process.env['PATH'], SSVIRT_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /api\.tls\.certFile is not set: set it in the config file, in SSVIRT_API_TLS_CERT_FILE or by/);
  assert.match(stderr, /api\.tls\.keyFile is not set/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});

describe('with a certificate, a cluster and a database', () => {
  let folder: ThrowAwayFolder;
  let cluster: MemberCluster;
  let database: TestDatabase;
  let certificates: Certificates;
  let passwordFile: string;
  let kubeconfig: string;
  let server: ApiServerProcess | undefined;
  before(async () => {
    [folder, cluster, database] = await Promise.all([
      throwAwayFolder('ssvirt-api-server-'),
      startMemberCluster('own'),
      startTestDatabase({ ownServer: true }),
    ]);
    passwordFile = join(folder.path, 'password');
    writeFileSync(passwordFile, password);
    await installKubeVirt(cluster);
    kubeconfig = await writeKubeconfig(join(folder.path, 'kubeconfig'), cluster);
    certificates = await makeCertificates(folder.path);
    server = await startApiServer({ certificates, kubeconfig, databaseUrl: database.url, passwordFile });
  });
  after(async () => {
    await server?.stop();
    await database?.stop();
    await cluster?.stop();
    await folder?.remove();
  });

  test('it is ready, names its cluster, and lets the first administrator in', async () => {
    const { caller } = server!;
    await until('it is ready', async () => (await caller.ask('GET', '/readyz')).status === 200, deadline);
    const isWhole = async (): Promise<boolean> => unavailableClusters(await caller.ask('GET', '/readyz')) === 0;
    await until('its cluster is there', isWhole, deadline);
    const session = await caller.logIn('administrator@System', password);
    const { body } = await caller.ask('GET', '/cloudapi/1.0.0/clusters', { headers: session });
    assert.deepEqual(
      (body['values'] as readonly { readonly name: string }[]).map(({ name }) => name),
      ['local'],
    );
    assert.doesNotMatch(server!.log(), new RegExp(password));
  });

  test('asked to stop it answers what it has begun to read, takes no more, and ends with code 0, whoever else is connected', async () => {
    const { caller, child, exited, port, log } = server!;
    const { authorization } = await caller.logIn('administrator@System', password);
    const body = JSON.stringify({ name: 'begun-before-the-end' });
    const socket = await tlsSocket(port, certificates);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.write(
      `POST /cloudapi/1.0.0/orgs HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
    );
    await until('it has begun to read', () => answer.startsWith('HTTP/1.1 100 '));
    answer = '';
    // Without a complete handshake they carry no request, and the server does not wait for them.
    const halfOpen = await openHalf(port, 3_000, Object.keys(habits) as Habit[]);
    child.kill('SIGTERM');
    await until('nobody new is let in', async () => {
      const other = await tlsSocket(port, certificates).catch(() => undefined);
      other?.destroy();
      return other === undefined;
    });
    socket.write(body);
    await until('it is answered', () => answer.includes('\r\n\r\n'));
    assert.match(answer, /^HTTP\/1\.1 201 /);
    await exited;
    assert.equal(child.exitCode, 0, log());
    halfOpen.forEach((client) => client.destroy());
    const { rowCount } = await database.database.pool.query('SELECT FROM organizations WHERE name = $1', [
      'begun-before-the-end',
    ]);
    assert.equal(rowCount, 1);
  });

  test('it serves while its database is unavailable, and is ready when that is there', async () => {
    await database.postgres.kill();
    const started = await inThisProcess({ kubeconfig, databaseUrl: database.url, certificates });
    try {
      await until('it is alive', async () => (await started.caller.ask('GET', '/healthz')).status === 200);
      const early = await started.caller.ask('GET', '/readyz');
      assert.equal(early.status, 503);
      assert.equal((await started.caller.ask('GET', '/cloudapi/1.0.0/roles')).status, 503);
      await database.postgres.start();
      await until('it is ready', async () => (await started.caller.ask('GET', '/readyz')).status === 200, deadline);
      assert.equal((await started.caller.ask('GET', '/cloudapi/1.0.0/roles')).status, 401);
    } finally {
      await started.end();
    }
  });

  test('it serves without its cluster, writes down what is asked of it, and does it when that answers', async () => {
    cluster.faults.add({ kind: '503' });
    const started = await inThisProcess({ kubeconfig, databaseUrl: database.url, certificates });
    const { caller } = started;
    try {
      await until('it is ready', async () => (await caller.ask('GET', '/readyz')).status === 200);
      assert.equal(unavailableClusters(await caller.ask('GET', '/readyz')), 1);
      const { rows: people } = await database.database.pool.query('SELECT username FROM users');
      assert.deepEqual(
        people,
        [{ username: 'administrator' }],
        'what was written before PostgreSQL was killed is there',
      );
      const session = await caller.logIn('administrator@System', password);
      const { body: org } = await caller.ask('POST', '/cloudapi/1.0.0/orgs', {
        headers: session,
        body: { name: 'patient' },
      });
      const vdcs = `/api/admin/org/${String(org['id'])}/vdcs`;
      const asked = await caller.ask('POST', vdcs, { headers: session, body: { name: 'later' } });
      assert.equal(asked.status, 202);
      cluster.faults.clear();
      await until(
        'it is done',
        async () => {
          const { body } = await caller.ask('GET', `${vdcs}/${String(asked.body['id'])}`, { headers: session });
          return body['statusText'] === 'READY';
        },
        deadline,
      );
    } finally {
      cluster.faults.clear();
      await started.end();
    }
  });

  test('a certificate that is renewed is shown to the next who connects', async () => {
    const started = await inThisProcess({ kubeconfig, databaseUrl: database.url, certificates });
    const shown = async (): Promise<string> => {
      const socket = await tlsSocket(started.port, certificates);
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    try {
      await until('it is alive', async () => (await started.caller.ask('GET', '/healthz')).status === 200);
      const before = await shown();
      // Half of a renewal: the files do not match, and the previous certificate stays.
      writeFileSync(certificates.certFile, 'not a certificate');
      await until('it says so', () => started.log().includes('cannot use the new certificate'));
      assert.equal(await shown(), before);
      await certificates.renew();
      await until('the new one is shown', async () => (await shown()) !== before);
    } finally {
      await started.end();
    }
  });
});

interface Started {
  readonly port: number;
  readonly caller: Caller;
  readonly log: () => string;
  readonly end: () => Promise<void>;
}

/** With intervals that suit a test. */
async function inThisProcess({
  kubeconfig,
  databaseUrl,
  certificates,
}: {
  readonly kubeconfig: string;
  readonly databaseUrl: string;
  readonly certificates: Certificates;
}): Promise<Started> {
  const [port = 0] = await freePorts(1);
  const { config } = loadConfig(schema, {
    process: 'api-server',
    env: {
      SSVIRT_DATABASE_URL: databaseUrl,
      SSVIRT_API_LISTEN: `127.0.0.1:${port}`,
      SSVIRT_API_METRICS_ADDR: '127.0.0.1:0',
      SSVIRT_API_TLS_CERT_FILE: certificates.certFile,
      SSVIRT_API_TLS_KEY_FILE: certificates.keyFile,
      KUBECONFIG: kubeconfig,
    },
  });
  let log = '';
  const stopping = new AbortController();
  const logger = pino({ level: 'info' }, { write: (line: string) => (log += line) });
  const ended = runApiServer(config, logger, stopping.signal, {
    health: testTimes,
    directory: { intervalMs: 200, retryMs: 50 },
    certificateEveryMs: 50,
  });
  const caller = new Caller(`https://127.0.0.1:${port}`, certificates.authority.certificate);
  return {
    port,
    caller,
    log: () => log,
    async end() {
      stopping.abort();
      await ended;
      await caller.close();
    },
  };
}

function tlsSocket(port: number, { authority }: Certificates): Promise<TLSSocket> {
  return new Promise((done, fail) => {
    const socket = connect({ host: '127.0.0.1', port, ca: authority.certificate }, () => done(socket));
    socket.once('error', fail);
  });
}
