import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedScene } from '../../../../test/runtime/scripted-scene.ts';
import { sendJson, type Answering } from '../../../../test/runtime/scripted-server.ts';
import { FakeClock } from '../fake-clock.ts';

const pods = [
  { name: 'pods', kind: 'Pod', namespaced: true },
  { name: 'pods/eviction', kind: 'Eviction', namespaced: true },
  { name: 'nodes', kind: 'Node', namespaced: false },
];

interface Served {
  readonly answer: Answering;
  readonly resources: Map<string, object[]>;
}

function served(): Served {
  const resources = new Map<string, object[]>([['/api/v1', pods]]);
  const answer: Answering = ({ url }, response) => {
    const list = resources.get(url);
    if (list === undefined) sendJson(response, 404, { kind: 'Status', reason: 'NotFound', code: 404 });
    else sendJson(response, 200, { kind: 'APIResourceList', resources: list });
  };
  return { answer, resources };
}

test('a kind is found where it is served, and asked for once however many ask', async (context) => {
  const { answer } = served();
  const { server, client } = await scriptedScene(context, answer);
  const types = await Promise.all(Array.from({ length: 20 }, () => client.typeOf('v1', 'Pod')));
  assert.deepEqual(types[0], { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });
  assert.equal((await client.typeOf('v1', 'Node')).namespaced, false);
  assert.equal(server.requests.length, 1);
  await assert.rejects(client.typeOf('v1', 'Eviction'), { kind: 'NotFound' });
});

test('a kind that is not served is NotFound, is not asked for in a hot loop, and found when it comes', async (context) => {
  const clock = new FakeClock();
  const { answer, resources } = served();
  const { server, client } = await scriptedScene(context, answer, { clock });
  const ask = (): Promise<unknown> => client.typeOf('kubevirt.io/v1', 'VirtualMachine');
  for (let index = 0; index < 50; index++)
    await assert.rejects(ask(), {
      kind: 'NotFound',
      message: 'cannot find kind VirtualMachine of kubevirt.io/v1 in cluster east: not served',
    });
  assert.equal(server.requests.length, 1);
  resources.set('/apis/kubevirt.io/v1', [{ name: 'virtualmachines', kind: 'VirtualMachine', namespaced: true }]);
  await clock.advance(1500);
  assert.deepEqual(await ask(), {
    group: 'kubevirt.io',
    version: 'v1',
    kind: 'VirtualMachine',
    plural: 'virtualmachines',
    namespaced: true,
  });
  assert.equal(server.requests.length, 2);
});

test('an unreachable server is no missing kind, and is asked again at once', async (context) => {
  const { answer } = served();
  let broken = true;
  const { client } = await scriptedScene(context, (request, response) =>
    broken ? sendJson(response, 500, { kind: 'Status', message: 'no' }) : answer(request, response),
  );
  await assert.rejects(client.typeOf('v1', 'Pod'), { kind: 'InternalError' });
  broken = false;
  assert.equal((await client.typeOf('v1', 'Pod')).plural, 'pods');
});

test('one who gives up does not spoil it for the others', async (context) => {
  const { answer } = served();
  const { client } = await scriptedScene(context, answer);
  const controller = new AbortController();
  const impatient = client.typeOf('v1', 'Pod', { signal: controller.signal });
  const patient = client.typeOf('v1', 'Pod');
  controller.abort();
  await assert.rejects(impatient, { kind: 'Aborted' });
  assert.equal((await patient).plural, 'pods');
});
