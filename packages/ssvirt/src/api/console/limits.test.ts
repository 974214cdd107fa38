/** Consoles that their users leave open end by their limits, and with the server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { WebSocket } from 'ws';
import { startApi, testSettings, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import { makeVapp, makeVdc, makeVm, observe } from '../../../../../test/database/rows.ts';
import { until } from '../../../../../test/runtime/until.ts';
import type { Vm } from '../../db/vms/vms.ts';

/** A VM that sends nothing by itself and accepts all input. */
class Quiet extends Duplex {
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }
}

suite('the ends of consoles', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let me: Person;
  let vm: Vm;
  let isStopped = false;
  const machines: Quiet[] = [];
  before(async () => {
    api = await startApi({
      consoles: {
        async open() {
          const machine = new Quiet();
          machines.push(machine);
          return machine;
        },
      },
      settings: { ...testSettings, consoles: { lookMs: 50, idleMs: 2500, unanswered: 8 } },
    });
    me = await api.person('vApp User');
    const vdc = await makeVdc(api.db, { organization_id: me.organizationId });
    vm = await makeVm(api.db, { vapp_id: (await makeVapp(api.db, { vdc_id: vdc.id })).id });
    await observe(api.db, vm, 'POWERED_ON');
  });
  after(async () => {
    if (!isStopped) await api.stop();
  });

  async function pathOfNew(): Promise<string> {
    const path = `/cloudapi/1.0.0/vms/urn:vcloud:vm:${vm.id}/consoleTicket`;
    const { body, text } = await api.ask('POST', path, { token: me.token });
    assert.ok(typeof body['ticket'] === 'string', text);
    return `/console/${body['ticket']}/stream`;
  }

  async function opened(): Promise<{ socket: WebSocket; closed: Promise<readonly [number, string]> }> {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}${await pathOfNew()}`);
    const closed = once(socket, 'close').then(([code, reason]) => [code as number, String(reason as Buffer)] as const);
    await once(socket, 'open');
    return { socket, closed };
  }

  /** A browser that sends nothing more, not even pongs. */
  async function dumb(): Promise<Socket> {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    const head = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    socket.write(
      `GET ${await pathOfNew()} HTTP/1.1\r\n${head.join('\r\n')}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    let answer = '';
    socket.on('data', (data) => (answer += data.toString('latin1')));
    await until('it is let in', () => answer.startsWith('HTTP/1.1 101 '));
    return socket;
  }

  test('one in which nothing happens is closed, and says so', async () => {
    const { closed } = await opened();
    assert.deepEqual(await closed, [4408, 'The console was idle for too long.']);
    await until('the machine is left', () => machines.at(-1)?.destroyed === true);
  });

  test('a browser that no longer answers is given up, whatever the machine says', async () => {
    const socket = await dumb();
    const machine = machines.at(-1);
    const talking = setInterval(() => machine?.push('x'), 20);
    try {
      await until('it is closed', () => socket.readableEnded || socket.destroyed);
      await until('the machine is left', () => machine?.destroyed === true);
    } finally {
      clearInterval(talking);
      socket.destroy();
    }
  });

  test('a machine whose connection breaks ends it with another code than one that stops', async () => {
    const { closed } = await opened();
    machines.at(-1)?.destroy(new Error('ECONNRESET'));
    assert.equal((await closed)[0], 4503);
  });

  test('when the server stops it notifies all, and does not wait for those who do not listen', async () => {
    const { closed } = await opened();
    const deaf = await dumb();
    isStopped = true;
    await api.stop();
    assert.equal((await closed)[0], 1001);
    assert.ok(machines.every(({ destroyed }) => destroyed));
    deaf.destroy();
  });
});
