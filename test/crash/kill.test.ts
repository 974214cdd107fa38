/**
 * The sandbox is killed repeatedly while clients write. Every acknowledged write exists after the restart.
 * .ci/run kills it more often. SSVIRT_TEST_SEED repeats the choices of a run; the exact time of a kill depends on the
 * host.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { testSeed } from '../chosen.ts';
import { Dice } from '../conformance/dice.ts';
import { httpClient, type HttpClient } from '../conformance/http.ts';
import { Informer } from './informer.ts';
import { DEFAULT, definition, DEFINITIONS, GROUP, population, textAt, until } from './population.ts';
import { sandboxProcess, type SandboxProcess } from './process.ts';
import { revisionOf } from './witness.ts';

const KILLS = Number(process.env['SSVIRT_TEST_KILLS'] ?? 3);
const seed = testSeed(20_261_118);

describe(`a sandbox that is killed, seed ${seed}`, { timeout: 330_000 }, () => {
  let sandbox: SandboxProcess;
  let client: HttpClient;
  const dice = new Dice(seed);
  const { writers, containers } = population(dice);
  const watched = ['/api/v1/configmaps', `/apis/${GROUP}/v1/gadgets`, '/api/v1/namespaces'];
  const informers = watched.map((path) => new Informer(path));
  let watching: Promise<void>[] = [];
  const round = { over: true };
  const acknowledged = (): number => writers.reduce((sum, { witness }) => sum + witness.acknowledged, 0);

  before(async () => {
    sandbox = await sandboxProcess();
    await sandbox.start();
    client = httpClient(sandbox.credentials());
    const { status } = await client.send({ method: 'POST', path: DEFINITIONS, body: definition('gadgets') });
    assert.equal(status, 201);
    const gadgets = `/apis/${GROUP}/v1/gadgets`;
    await until(
      `${gadgets} is served`,
      async () => (await client.send({ method: 'GET', path: gadgets })).status === 200,
    );
    watching = informers.map((informer) => informer.run(() => client));
  });

  after(async () => {
    round.over = true;
    for (const informer of informers) informer.stop();
    await sandbox?.remove();
    client?.close();
  });

  const gone = (): readonly string[] => containers.flatMap((container) => [...container.gone]);

  /**
   * All writers write until enough writes are acknowledged, and a deletion if one is required; then the process is
   * killed.
   */
  async function writeAndKill(writes: number, mustDelete: boolean): Promise<void> {
    round.over = false;
    const loops = [...writers, ...containers].map(async (writer) => {
      while (!round.over) await writer.step(client);
    });
    const goal = acknowledged() + writes;
    await until(`${goal} acknowledged writes`, () => acknowledged() >= goal && (!mustDelete || gone().length > 0));
    const { signal } = await sandbox.end('SIGKILL');
    round.over = true;
    await Promise.all(loops);
    assert.equal(signal, 'SIGKILL');
  }

  test(`it loses nothing that it acknowledged in ${KILLS} kills`, async (t) => {
    const uid = await clusterUid(client);
    let newest = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await writeAndKill(1 + dice.below(150), kill === KILLS - 1);
      newest = Math.max(newest, ...writers.map(({ witness }) => witness.revision));
      await sandbox.start();
      client.close();
      client = httpClient(sandbox.credentials());
      assert.equal(await clusterUid(client), uid, 'the uid of kube-system has changed');
      const now = await revision(client);
      assert.ok(now >= newest, `the revision went back from ${newest} to ${now}`);
      newest = now;
      for (const { witness } of writers) await witness.verify(client);
      for (const path of containers.flatMap(({ alive }) => [...alive])) {
        assert.equal((await client.send({ method: 'GET', path })).status, 200, `${path} is gone`);
      }
    }
    t.diagnostic(`SSVIRT_TEST_SEED=${seed}, ${acknowledged()} acknowledged writes`);
  });

  test('what it had begun to delete is deleted in the end', async (t) => {
    const all = gone();
    t.diagnostic(`${all.length} namespaces and definitions were deleted`);
    assert.ok(all.length > 0);
    for (const path of all) {
      await until(`${path} is gone`, async () => (await client.send({ method: 'GET', path })).status === 404);
    }
  });

  test('clients that watched have seen everything', async (t) => {
    for (const [i, informer] of informers.entries()) {
      await until(`the cache of ${watched[i]} is what is stored`, async () => {
        const stored = await informer.stored(client);
        return (
          stored.size === informer.objects.size && [...stored].every(([key, at]) => informer.objects.get(key) === at)
        );
      });
      t.diagnostic(`${watched[i]}: ${informer.resumed} watches, ${informer.relisted} lists`);
      assert.deepEqual(informer.complaints, []);
      assert.ok(informer.resumed > KILLS, 'there was a watch for each life of the sandbox');
      informer.stop();
    }
    await Promise.all(watching);
  });

  test('at SIGTERM it ends its watches and itself, and keeps everything', async () => {
    const watch = await client.open({ method: 'GET', path: `${DEFAULT}/configmaps?watch=true` });
    const watchEnd = new Promise<string>((resolve) => {
      watch.on('end', () => resolve('ended')).on('error', (error) => resolve(String(error)));
      watch.resume();
    });
    const { code, milliseconds } = await sandbox.end('SIGTERM');
    assert.equal(code, 0);
    assert.ok(milliseconds < 60_000, `it took ${Math.round(milliseconds)} ms`);
    assert.equal(await watchEnd, 'ended');
    await sandbox.start();
    for (const { witness } of writers) await witness.verify(client);
  });
});

async function clusterUid(client: HttpClient): Promise<string> {
  const { body } = await client.send({ method: 'GET', path: '/api/v1/namespaces/kube-system' });
  return textAt(body as KubeObject, 'metadata', 'uid');
}

async function revision(client: HttpClient): Promise<number> {
  const { body } = await client.send({ method: 'GET', path: `${DEFAULT}/configmaps` });
  return revisionOf(body as JsonObject);
}
