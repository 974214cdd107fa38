/** Consoles of simulated VMs, through the API and the fleet, as a client with nothing but a ticket reaches them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { after, before, suite, test } from 'node:test';
import { WebSocket } from 'ws';
import { virtualMachineInstances, virtualMachines } from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import type { Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { fleetConsoles } from '../../packages/ssvirt/src/processes/api-server/consoles.ts';
import { endSessionsOf } from '../../packages/ssvirt/src/db/tenants/sessions.ts';
import type { Vm } from '../../packages/ssvirt/src/db/vms/vms.ts';
import type { Fleet } from '../../packages/ssvirt/src/fleet/fleet.ts';
import { startApi, testSettings, type ApiHarness, type Person } from '../api/harness.ts';
import { observe } from '../database/rows.ts';
import { startFleetHarness, type FleetHarness } from '../fleet/harness.ts';
import { until } from '../runtime/until.ts';
import { guest, startKubeVirt, startMachine } from './harness.ts';

interface Line {
  readonly socket: WebSocket;
  readonly closed: Promise<readonly [number, string]>;
  shows(text: string | RegExp): Promise<void>;
  type(text: string): void;
}

suite('consoles of machines in a cluster', { timeout: 200_000 }, () => {
  let harness: FleetHarness;
  let simulators: Simulators;
  let fleet: Fleet;
  let api: ApiHarness;
  let me: Person;
  let vm: Vm;
  before(async () => {
    harness = await startFleetHarness();
    simulators = await startKubeVirt(harness.supervisor);
    ({ fleet } = harness.fleet());
    api = await startApi({
      consoles: fleetConsoles(fleet),
      settings: { ...testSettings, consoles: { lookMs: 50 } },
    });
    me = await api.person('vApp User');
    vm = await startMachine(harness.supervisor, api.db, me);
    await until('the cluster is a member', () => fleet.cluster('local') !== undefined);
  });
  after(async () => {
    await api?.stop();
    await simulators?.stop({ leaveRegistered: true });
    await harness?.stop();
  });

  async function urlOf(kind: 'serial' | 'vnc', of: Vm = vm): Promise<string> {
    const path = `/cloudapi/1.0.0/vms/urn:vcloud:vm:${of.id}/consoleTicket`;
    const { status, text, body } = await api.ask('POST', path, { token: me.token, body: { kind } });
    assert.equal(status, 201, text);
    return String(body['streamUrl']);
  }

  async function line(url: string, origin?: string): Promise<Line> {
    const socket = new WebSocket(url, ['plain.kubevirt.io'], origin === undefined ? {} : { origin });
    let shown = '';
    socket.on('message', (data: Buffer) => (shown += data.toString('latin1')));
    const closed = once(socket, 'close').then(([code, reason]) => [code as number, String(reason as Buffer)] as const);
    await once(socket, 'open');
    return {
      socket,
      closed,
      type: (text) => socket.send(Buffer.from(text)),
      async shows(text) {
        const shows = (): boolean => (typeof text === 'string' ? shown.includes(text) : text.test(shown));
        await until(`it shows ${String(text)}`, shows).catch((error: unknown) => {
          throw new Error(`it shows ${JSON.stringify(shown)}`, { cause: error });
        });
        shown = '';
      },
    };
  }

  async function refused(url: string): Promise<readonly [number, string]> {
    const socket = new WebSocket(url);
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    socket.terminate();
    return [response.statusCode ?? 0, String((JSON.parse(text) as { message?: string }).message)];
  }

  test('a user logs in on the serial console, types, and reads the output', async () => {
    const console = await line(await urlOf('serial'));
    await console.shows('web-0 login: ');
    console.type(`${guest.user}\r`);
    await console.shows('Password: ');
    console.type(`${guest.password}\r`);
    await console.shows(`[${guest.user}@web-0 ~]$ `);
    console.type('echo through the API\r');
    await console.shows(/\r\nthrough the API\r\n/);
    console.type('cat /etc/os-release\r');
    await console.shows(/PRETTY_NAME="/);
    console.socket.close();
    assert.equal((await console.closed)[0], 1005);
  });

  test('the screen greets as RFB does, and answers', async () => {
    const screen = await line(await urlOf('vnc'));
    await screen.shows('RFB 003.008\n');
    screen.type('RFB 003.008\n');
    // One security type: none.
    await screen.shows('\x01\x01');
    screen.socket.close();
    await screen.closed;
  });

  test('a ticket that was used opens nothing, and neither does one of a session that has ended', async () => {
    const used = await urlOf('serial');
    (await line(used)).socket.close();
    assert.equal((await refused(used))[0], 403);
    const mine = me;
    try {
      me = await api.person('vApp User', mine.organizationId);
      const url = await urlOf('serial');
      await endSessionsOf(api.db, me.userId);
      assert.equal((await refused(url))[0], 403);
    } finally {
      me = mine;
    }
  });

  test('a console ends with the session that it was opened in', async () => {
    const mine = me;
    try {
      me = await api.person('vApp User', mine.organizationId);
      const console = await line(await urlOf('serial'));
      await console.shows('login: ');
      await endSessionsOf(api.db, me.userId);
      assert.deepEqual(await console.closed, [4401, 'Your session has ended, or you no longer have access to the VM.']);
    } finally {
      me = mine;
    }
  });

  test('a machine without a screen says so, and one that has stopped ends its console and opens no other', async () => {
    const other = await startMachine(harness.supervisor, api.db, me, { name: 'plain', graphics: false });
    const noScreen = 'The VM has no screen: open its serial console instead.';
    assert.deepEqual(await refused(await urlOf('vnc', other)), [409, noScreen]);
    const page = await line(await urlOf('vnc', other), api.url);
    assert.deepEqual(await page.closed, [4409, noScreen]);

    const console = await line(await urlOf('serial', other));
    await console.shows('login: ');
    const { client } = harness.supervisor;
    const key = { namespace: other.namespace, name: other.vm_name };
    await client.patch(virtualMachines, key, { type: 'merge', body: { spec: { runStrategy: 'Halted' } } });
    const [code] = await console.closed;
    assert.equal(code, 4410);
    await until('its instance is gone', async () => {
      const { items } = await client.list(virtualMachineInstances, { namespace: other.namespace });
      return items.length === 0;
    });
    // The row may lag for a moment.
    const [status, message] = await refused(await urlOf('serial', other));
    assert.deepEqual([status, message], [409, 'The VM is not running: power it on, and open the console again.']);
    await observe(api.db, other, 'POWERED_OFF');
    const path = `/cloudapi/1.0.0/vms/urn:vcloud:vm:${other.id}/consoleTicket`;
    assert.equal((await api.ask('POST', path, { token: me.token })).status, 409);
  });

  test('a cluster that does not let us in, or that is no member, is 503', async () => {
    const url = await urlOf('serial');
    await api.db
      .updateTable('vms')
      .set({ cluster: 'gone' } as never)
      .where('id', '=', vm.id)
      .execute();
    try {
      const [status, message] = await refused(url);
      assert.equal(status, 503);
      assert.doesNotMatch(message, /gone/);
    } finally {
      await api.db
        .updateTable('vms')
        .set({ cluster: 'local' } as never)
        .where('id', '=', vm.id)
        .execute();
    }
  });
});
