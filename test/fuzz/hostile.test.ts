/** Requests that try to do harm, one by one: each is refused or harmless, and the next one is served. */
import assert from 'node:assert/strict';
import { Agent } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { startCluster, type Cluster } from '../../packages/sandbox/src/server/cluster.ts';
import { loadIdentity } from '../../packages/sandbox/src/server/identity.ts';
import { getJson } from './consistency.ts';
import { send, type Answer, type Wire } from './request.ts';

// bin/ssvirt starts Node in the same way: without the accessor, __proto__ is a key like any other.
Reflect.deleteProperty(Object.prototype, '__proto__');

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('hostile requests', { timeout: 180_000 }, () => {
  let cluster: Cluster;
  let wire: Wire;
  const defects: unknown[] = [];

  before(async () => {
    const identity = await loadIdentity({ host: '127.0.0.1' });
    const onDefect = (error: unknown): void => void defects.push(error);
    cluster = await startCluster({
      name: 'hostile',
      host: '127.0.0.1',
      port: 0,
      identity,
      eventWindow: 1000,
      onDefect,
    });
    const agent = new Agent({ keepAlive: true });
    wire = { url: new URL(cluster.url), ca: identity.authority.certificate, token: identity.token, agent };
  });
  after(async () => {
    wire?.agent.destroy();
    await cluster?.stop();
    assert.deepEqual(defects, []);
  });

  async function call(method: string, target: string, type: string, body: string): Promise<Answer> {
    const headers = { 'content-type': type };
    const answer = await send(wire, { method, target, headers, body: Buffer.from(body), manner: 'whole' });
    assert.ok(answer !== undefined);
    return answer;
  }

  test('keys that mean something to JavaScript are keys like any other', async () => {
    const text = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"keys","annotations":{"constructor":"a","toString":"b"}},
      "data":{"__proto__":"c","constructor":"d","hasOwnProperty":"e"}}`;
    assert.equal((await call('POST', CONFIG_MAPS, 'application/json', text)).code, 201);
    const patch = '{"data":{"valueOf":"f","__proto__":"g"}}';
    assert.equal((await call('PATCH', `${CONFIG_MAPS}/keys`, 'application/merge-patch+json', patch)).code, 200);
    const strategic = 'application/strategic-merge-patch+json';
    assert.equal((await call('PATCH', `${CONFIG_MAPS}/keys`, strategic, '{"data":{"toString":"h"}}')).code, 200);
    const operations = '[{"op":"add","path":"/data/isPrototypeOf","value":"i"}]';
    assert.equal((await call('PATCH', `${CONFIG_MAPS}/keys`, 'application/json-patch+json', operations)).code, 200);
    const { data } = await getJson(wire, `${CONFIG_MAPS}/keys`);
    assert.deepEqual(
      Object.entries(data as object).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      [
        ['__proto__', 'g'],
        ['constructor', 'd'],
        ['hasOwnProperty', 'e'],
        ['isPrototypeOf', 'i'],
        ['toString', 'h'],
        ['valueOf', 'f'],
      ],
    );
  });

  test('no patch reaches the prototypes of the server', async () => {
    const pointers = [
      '/__proto__/polluted',
      '/constructor/prototype/polluted',
      '/data/__proto__/polluted',
      '/data/constructor/prototype/polluted',
    ];
    for (const path of pointers) {
      await call(
        'PATCH',
        `${CONFIG_MAPS}/keys`,
        'application/json-patch+json',
        JSON.stringify([{ op: 'add', path, value: 'x' }]),
      );
    }
    const nested =
      '{"__proto__":{"polluted":"x"},"metadata":{"__proto__":{"polluted":"x"}},"constructor":{"prototype":{"polluted":"x"}}}';
    for (const type of ['merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml']) {
      await call('PATCH', `${CONFIG_MAPS}/keys?fieldManager=x`, `application/${type}`, nested);
    }
    assert.equal(({} as { polluted?: string }).polluted, undefined);
    assert.equal(([] as { polluted?: string }).polluted, undefined);
  });

  const copies = Array.from({ length: 200 }, () => ({ op: 'copy', from: '/data', path: '/data/x' }));
  const levels = 100_000;
  const harmful: readonly [name: string, method: string, target: string, type: string, body: string, code: number][] = [
    ['copies of copies', 'PATCH', `${CONFIG_MAPS}/keys`, 'application/json-patch+json', JSON.stringify(copies), 422],
    ['depth', 'POST', CONFIG_MAPS, 'application/json', '['.repeat(levels) + ']'.repeat(levels), 400],
    ['depth without an end', 'POST', CONFIG_MAPS, 'application/json', '{"a":'.repeat(levels), 400],
    [
      'depth in a patch',
      'PATCH',
      `${CONFIG_MAPS}/keys`,
      'application/merge-patch+json',
      '{"a":'.repeat(levels) + '1' + '}'.repeat(levels),
      400,
    ],
    ['depth in YAML', 'POST', CONFIG_MAPS, 'application/yaml', '- '.repeat(levels), 400],
    [
      'keys of keys in YAML',
      'PATCH',
      `${CONFIG_MAPS}/keys?fieldManager=x`,
      'application/apply-patch+yaml',
      '? '.repeat(levels),
      400,
    ],
    [
      'a circle in YAML',
      'PATCH',
      `${CONFIG_MAPS}/keys?fieldManager=x`,
      'application/apply-patch+yaml',
      'a: &a [*a]',
      400,
    ],
    ['a body that is too large', 'POST', CONFIG_MAPS, 'application/json', ' '.repeat(3 * 1024 * 1024 + 1), 413],
  ];
  for (const [name, method, target, type, body, code] of harmful) {
    test(`${name} is refused, quickly`, async () => {
      const before = process.cpuUsage();
      const answer = await call(method, target, type, body);
      const { user, system } = process.cpuUsage(before);
      assert.equal(answer.code, code, answer.body.slice(0, 500));
      assert.equal((JSON.parse(answer.body) as { kind: string }).kind, 'Status');
      // Processor time, which other load on the host does not change.
      const milliseconds = (user + system) / 1000;
      assert.ok(milliseconds < 5_000, `it took ${Math.round(milliseconds)} ms`);
      assert.equal((await call('GET', '/readyz', '', '')).code, 200);
    });
  }

  test('headers may be large, but not without end', async () => {
    const padded = (size: number): Promise<Answer | undefined> =>
      send(wire, {
        method: 'GET',
        target: '/version',
        headers: { 'x-padding': 'x'.repeat(size) },
        body: undefined,
        manner: 'whole',
      });
    assert.equal((await padded(500_000))?.code, 200);
    // The server answers before it has read everything; the answer may or may not arrive before the connection closes.
    const refused = await padded(5_000_000).catch(() => undefined);
    assert.ok(refused === undefined || refused.code === 431);
    assert.equal((await padded(1))?.code, 200);
  });
});
