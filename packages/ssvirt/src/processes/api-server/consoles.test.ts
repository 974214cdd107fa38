/**
 * KubeVirt's refusals to open a console, in words for tenants; and the limit on how much of a console's data we buffer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { scriptedScene } from '../../../../../test/runtime/scripted-scene.ts';
import { sendJson } from '../../../../../test/runtime/scripted-server.ts';
import { until } from '../../../../../test/runtime/until.ts';
import type { Cluster } from '@ssvirt/kube/cluster';
import { KubeError } from '@ssvirt/kube/errors';
import { fleetConsoles, refusalOf } from './consoles.ts';

const status = (code: number, message: string): KubeError =>
  new KubeError('Unknown', `cannot connect in cluster east: ${message}`, {
    code,
    status: { kind: 'Status', code, message },
  });

const refusals: readonly (readonly [unknown, 'serial' | 'vnc', string, RegExp])[] = [
  [status(404, 'virtualmachineinstance.kubevirt.io "web" not found'), 'serial', 'notRunning', /is not running/],
  [status(400, 'VMI is not running'), 'vnc', 'notRunning', /is not running/],
  [
    status(400, 'Unable to connect … because phase is Scheduling instead of …'),
    'serial',
    'notRunning',
    /is not running/,
  ],
  [status(409, 'VMI is in failed status'), 'serial', 'notRunning', /is not running/],
  [status(400, 'No serial consoles are present.'), 'serial', 'noDevice', /no serial console: open its screen/],
  [status(400, 'No graphics devices are present.'), 'vnc', 'noDevice', /no screen: open its serial console/],
  [status(403, 'forbidden: User "ssvirt" …'), 'serial', 'unavailable', /cluster of the VM rejected the connection/],
  [status(500, 'dialing virt-handler: …'), 'serial', 'unavailable', /cluster of the VM rejected the connection/],
  [status(503, 'no endpoints available'), 'vnc', 'unavailable', /cluster of the VM rejected the connection/],
  [
    new KubeError('Unreachable', 'ECONNREFUSED 10.0.0.1'),
    'vnc',
    'unavailable',
    /cluster of the VM rejected the connection/,
  ],
  [new Error('anything'), 'vnc', 'unavailable', /cluster of the VM rejected the connection/],
];

for (const [error, kind, wanted, message] of refusals)
  test(`${error instanceof Error ? error.message : ''} is ${wanted}, and its text is not shown`, () => {
    const refusal = refusalOf(error, { kind });
    assert.equal(refusal.kind, wanted);
    assert.match(refusal.message, message);
    assert.doesNotMatch(refusal.message, /VMI|kubevirt|east|10\.0/);
    assert.equal(refusal.cause, error);
  });

test('a console without a reader makes its machine wait', async (context) => {
  const { server, client } = await scriptedScene(context, (_request, response) => sendJson(response, 200, {}));
  const lines = new WebSocketServer({ noServer: true });
  const piece = Buffer.alloc(64 * 1024, 'x');
  const most = 800;
  let asked = '';
  server.server.on('upgrade', (request, socket, head) => {
    asked = `${request.url ?? ''} ${String(request.headers['sec-websocket-protocol'])}`;
    lines.handleUpgrade(request, socket, head, (line) => {
      for (let at = 0; at < most; at += 1) line.send(piece);
    });
  });
  const consoles = fleetConsoles({ cluster: () => ({ client }) as Cluster });
  const target = { cluster: 'east', namespace: 'demo', vmName: 'web', kind: 'vnc' } as const;
  const stopping = new AbortController();
  const stream = await consoles.open(target, stopping.signal);
  assert.equal(
    asked,
    '/apis/subresources.kubevirt.io/v1/namespaces/demo/virtualmachineinstances/web/vnc plain.kubevirt.io',
  );
  await until('something waits to be read', () => stream.readableLength >= piece.length);
  // The stream has had the chance to read more: the server's next answers come after what it has sent by now.
  await client.request({ method: 'GET', path: '/version' });
  assert.ok(stream.readableLength <= 4 * piece.length, `${stream.readableLength} bytes wait in our memory`);
  let read = 0;
  stream.on('data', (chunk: Buffer) => (read += chunk.length));
  await until('all of it is read', () => read === most * piece.length);
  stopping.abort();
  await until('it ends with the signal', () => stream.readableEnded || stream.destroyed);
});
