/** Tickets, the page and the websocket of a console. The VM is a stream in this process. */
import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { after, before, beforeEach, suite, test } from 'node:test';
import { Registry } from 'prom-client';
import { WebSocket } from 'ws';
import {
  directoryOf,
  startApi,
  testSettings,
  type Answer,
  type ApiHarness,
  type Person,
} from '../../../../../test/api/harness.ts';
import { makeVapp, makeVdc, makeVm, observe, setCluster } from '../../../../../test/database/rows.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { dropOldConsoleTickets } from '../../db/tenants/console-tickets.ts';
import type { OrganizationId } from '../../db/schema/schema.ts';
import { endSessionsOf } from '../../db/tenants/sessions.ts';
import { deleteVm, type Vm } from '../../db/vms/vms.ts';
import { ConsoleRefusal, type ConsoleSource, type ConsoleTarget } from './source.ts';

/** The VM's end of a console: records what is typed, and can send output. */
class Machine extends Duplex {
  readonly target: ConsoleTarget;
  typed = '';
  /** How often it was asked for more output. */
  wanted = 0;
  onWanted: (() => void) | undefined;
  holdsWrites: (() => void) | undefined;

  constructor(target: ConsoleTarget) {
    super({ highWaterMark: 64 * 1024 });
    this.target = target;
  }

  override _read(): void {
    this.wanted += 1;
    this.onWanted?.();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.typed += chunk.toString();
    if (this.holdsWrites === undefined) done();
    else this.holdsWrites = done;
  }
}

interface Heard {
  readonly socket: WebSocket;
  readonly text: () => string;
  readonly closed: Promise<{ code: number; reason: string }>;
}

suite('consoles', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let me: Person;
  let vm: Vm;
  const registry = new Registry();
  const machines: Machine[] = [];
  const clusters = [
    { name: 'local', available: true, message: '' },
    { name: 'away', available: false, message: 'it does not answer' },
  ];
  /** If set, the next attempt to open a console fails with this error. */
  let refusal: Error | undefined;
  /** Called with the VM's stream right after it was opened. */
  let fate: ((machine: Machine) => void) | undefined;
  const consoles: ConsoleSource = {
    async open(target) {
      if (refusal !== undefined) throw refusal;
      const machine = new Machine(target);
      machines.push(machine);
      fate?.(machine);
      return machine;
    },
  };
  before(async () => {
    api = await startApi({
      consoles,
      registry,
      clusters: directoryOf(...clusters),
      settings: { ...testSettings, consoles: { perUser: 2, lookMs: 50, idleMs: 60_000, unanswered: 10_000 } },
    });
    for (const { name } of clusters) await setCluster(api.db, { name, state: 'synced' });
  });
  after(() => api.stop());
  beforeEach(async () => {
    refusal = undefined;
    fate = undefined;
    me = await api.person('vApp User');
    vm = await machine(me.organizationId);
  });

  async function machine(organization_id: OrganizationId, cluster = 'local'): Promise<Vm> {
    const vdc = await makeVdc(api.db, { organization_id, cluster });
    const vapp = await makeVapp(api.db, { vdc_id: vdc.id });
    const made = await makeVm(api.db, { vapp_id: vapp.id, name: 'web & <db>', vm_name: 'web-1' });
    await observe(api.db, made, 'POWERED_ON');
    return made;
  }

  const pathOf = ({ id }: Pick<Vm, 'id'>): string => `/cloudapi/1.0.0/vms/urn:vcloud:vm:${id}/consoleTicket`;
  const askFor = (body?: unknown, of: Pick<Vm, 'id'> = vm, who: Person = me): Promise<Answer<Record<string, string>>> =>
    api.ask('POST', pathOf(of), { token: who.token, ...defined({ body }) });
  async function ticket(body?: unknown): Promise<string> {
    const { status, text, body: given } = await askFor(body);
    assert.equal(status, 201, text);
    return given['ticket'] ?? '';
  }

  const streamUrl = (of: string): string => `${api.url.replace('http', 'ws')}/console/${of}/stream`;

  /** Resolves when the websocket is open. */
  async function opened(of: string, origin?: string, protocols: string[] = []): Promise<Heard> {
    const socket = new WebSocket(streamUrl(of), protocols, origin === undefined ? {} : { origin });
    let text = '';
    socket.on('message', (data: Buffer) => (text += data.toString()));
    const closed = once(socket, 'close').then(([code, reason]) => ({
      code: code as number,
      reason: String(reason as Buffer),
    }));
    await once(socket, 'open');
    return { socket, text: () => text, closed };
  }

  /** Resolves to the status and the message with which the websocket is refused. */
  async function refused(of: string, headers: Record<string, string> = {}): Promise<readonly [number, string]> {
    const socket = new WebSocket(streamUrl(of), { headers });
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    socket.terminate();
    return [response.statusCode ?? 0, String((JSON.parse(text) as { message?: string }).message)];
  }

  const events = (action: string): Promise<{ outcome: string; details: unknown; entity_id: string | null }[]> =>
    api.db
      .selectFrom('audit_events')
      .select(['outcome', 'details', 'entity_id'])
      .where('user_id', '=', me.userId)
      .where('action', '=', action)
      .orderBy('at')
      .execute();

  test('a ticket is given with its addresses, and only its digest is kept', async () => {
    const { status, body } = await askFor({ kind: 'vnc' });
    assert.equal(status, 201);
    const { ticket: given = '', expiresAt = '', ...rest } = body;
    assert.match(given, /^[\w-]{43}$/);
    assert.deepEqual(rest, {
      kind: 'vnc',
      url: `${api.url}/console/${given}`,
      streamUrl: streamUrl(given),
    });
    const seconds = (Date.parse(expiresAt) - Date.now()) / 1000;
    assert.ok(seconds > 0 && seconds <= 30, expiresAt);
    const rows = await api.db.selectFrom('console_tickets').selectAll().where('vm_id', '=', vm.id).execute();
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(given));
    assert.ok(!rows[0]?.hash.equals(Buffer.from(given, 'base64url')));
    assert.deepEqual(await events('console.ticket'), [
      { outcome: 'success', details: { kind: 'vnc' }, entity_id: vm.id },
    ]);
    assert.ok(!JSON.stringify(api.log).includes(given), 'the ticket is in the log');
  });

  test('it is for the serial console by default, and for no other kind', async () => {
    assert.equal((await askFor()).body['kind'], 'serial');
    assert.equal((await askFor({})).body['kind'], 'serial');
    assert.equal((await askFor({ kind: 'usb' })).status, 400);
  });

  test('a machine that does not run has none, and says why', async () => {
    for (const status of ['POWERED_OFF', 'UNKNOWN'] as const) {
      await observe(api.db, vm, status);
      const answer = await askFor();
      assert.equal(answer.status, 409);
      assert.match(answer.text, new RegExp(`is ${status}; only a VM that is POWERED_ON or SUSPENDED has a console`));
    }
    await observe(api.db, vm, 'SUSPENDED');
    assert.equal((await askFor()).status, 201);
  });

  test('while the cluster is unavailable the answer is 503, and says when to ask again', async () => {
    const answer = await askFor(undefined, await machine(me.organizationId, 'away'));
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers['retry-after']) > 0);
    assert.doesNotMatch(answer.text, /away"/);
  });

  test('bytes go both ways, under a subprotocol that was offered, and the audit has who opened it', async () => {
    const { socket, text, closed } = await opened(await ticket(), undefined, ['other', 'plain.kubevirt.io']);
    assert.equal(socket.protocol, 'plain.kubevirt.io');
    const [machineEnd] = machines.slice(-1);
    assert.deepEqual(machineEnd?.target, {
      cluster: 'local',
      namespace: vm.namespace,
      vmName: 'web-1',
      kind: 'serial',
    });
    machineEnd?.push('login: ');
    await until('the prompt is there', () => text() === 'login: ');
    socket.send('root\r');
    socket.send(Buffer.from('ü'));
    await until('it is typed', () => machineEnd?.typed === 'root\rü');
    assert.match(await registry.metrics(), /ssvirt_api_consoles_open\{kind="serial"\} 1/);
    machineEnd?.push(null);
    const { code, reason } = await closed;
    assert.deepEqual([code, reason], [4410, 'The VM has stopped, or its console was opened elsewhere.']);
    await until('it is closed', () => machines.at(-1)?.destroyed === true);
    const metrics = await registry.metrics();
    assert.match(metrics, /ssvirt_api_consoles_open\{kind="serial"\} 0/);
    assert.match(metrics, /ssvirt_api_console_bytes_total\{direction="out"\} 7/);
    assert.match(metrics, /ssvirt_api_requests_in_flight 0/);
    assert.deepEqual(await events('console.stream'), [
      { outcome: 'success', details: { kind: 'serial' }, entity_id: vm.id },
    ]);
  });

  test('used, expired, foreign and unknown tickets get one answer, from the websocket and from the page', async () => {
    const used = await ticket();
    (await opened(used)).socket.terminate();
    const expired = await ticket();
    await api.db
      .updateTable('console_tickets')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('vm_id', '=', vm.id)
      .where('used_at', 'is', null)
      .execute();
    const other = await machine((await api.person('vApp User')).organizationId);
    const foreign = await ticket();
    await api.db
      .updateTable('console_tickets')
      .set({ vm_id: other.id } as never)
      .where('vm_id', '=', vm.id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', new Date())
      .execute();
    const answers = new Set<string>();
    for (const bad of [used, expired, foreign, 'A'.repeat(43), 'x', '%00']) {
      const [status, message] = await refused(bad);
      assert.equal(status, 403, bad);
      const page = await api.ask('GET', `/console/${bad}`);
      assert.equal(page.status, 403, bad);
      answers.add(message + page.text);
    }
    assert.equal(answers.size, 1, [...answers].join('\n'));
    const outcomes = (await events('console.stream')).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['success', 'refused', 'refused', 'refused']);
  });

  test('of many who come with the same ticket one gets in', async () => {
    const one = await ticket();
    const before = machines.length;
    const sockets = Array.from({ length: 8 }, () => {
      const socket = new WebSocket(streamUrl(one));
      socket.on('error', () => undefined);
      return socket;
    });
    const outcomes = await Promise.all(
      sockets.map((socket) =>
        Promise.race([
          once(socket, 'open').then(() => 'open'),
          once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode as number),
        ]),
      ),
    );
    assert.deepEqual(outcomes.map(String).toSorted(), [...Array.from({ length: 7 }, () => '403'), 'open']);
    assert.equal(machines.length, before + 1);
    for (const socket of sockets) socket.terminate();
  });

  test('a ticket dies with its session, with its user and with its machine', async () => {
    const ends: readonly (() => Promise<unknown>)[] = [
      () => endSessionsOf(api.db, me.userId),
      () => api.db.updateTable('users').set({ enabled: false }).where('id', '=', me.userId).execute(),
      () => api.db.deleteFrom('user_roles').where('user_id', '=', me.userId).execute(),
      () => deleteVm(api.db, vm.id),
    ];
    for (const end of ends) {
      me = await api.person('vApp User');
      vm = await machine(me.organizationId);
      const given = await ticket();
      assert.equal((await api.ask('GET', `/console/${given}`)).status, 200);
      await end();
      assert.equal((await api.ask('GET', `/console/${given}`)).status, 403);
      assert.equal((await refused(given))[0], 403);
    }
  });

  test('an open console ends with its session, and typing keeps the session alive', async () => {
    const { socket, closed } = await opened(await ticket());
    const long = new Date(Date.now() - 60_000);
    await api.db.updateTable('sessions').set({ last_used_at: long }).where('user_id', '=', me.userId).execute();
    socket.send('x');
    await until('the session was used', async () => {
      const { last_used_at: at } = await api.db
        .selectFrom('sessions')
        .select('last_used_at')
        .where('user_id', '=', me.userId)
        .executeTakeFirstOrThrow();
      return at > long;
    });
    await endSessionsOf(api.db, me.userId);
    assert.equal((await closed).code, 4401);
    await until('the machine is left', () => machines.at(-1)?.destroyed === true);
  });

  test('one that its machine refuses is refused with the reason, to programs by the answer and to pages by the close', async () => {
    const cases = [
      [new ConsoleRefusal('notRunning', 'The VM is not running.'), 409],
      [new ConsoleRefusal('noDevice', 'The VM has no screen.'), 409],
      [new ConsoleRefusal('unavailable', 'The cluster does not let us in.'), 503],
    ] as const;
    for (const [error, status] of cases) {
      refusal = error;
      assert.deepEqual(await refused(await ticket()), [status, error.message]);
      const page = await opened(await ticket(), api.url);
      assert.deepEqual(await page.closed, { code: 4000 + status, reason: error.message });
    }
    const outcomes = (await events('console.stream')).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['refused', 'refused', 'refused', 'refused', 'failed', 'failed']);
    // Any error other than a refusal is a defect, and its message is not shown.
    refusal = new Error('secret');
    const [status, message] = await refused(await ticket());
    assert.equal(status, 500);
    assert.doesNotMatch(message, /secret/);
  });

  test('a machine that is lost before the browser is let in ends the console, and nothing else', async () => {
    const lost = (machine: Machine): unknown => machine.destroy(new Error('read ECONNRESET'));
    // At once, and while the audit record is written.
    for (const when of [queueMicrotask, setImmediate]) {
      fate = (machine) => when(() => lost(machine));
      const { closed } = await opened(await ticket());
      assert.equal((await closed).code, 4503);
    }
    fate = undefined;
    // Both places are free again.
    await opened(await ticket());
    await opened(await ticket());
  });

  test('so many at once for each user, and a place is free again when one closes', async () => {
    const first = await opened(await ticket());
    await opened(await ticket());
    assert.deepEqual(await refused(await ticket()), [
      409,
      'You have 2 consoles open; the limit is 2. Close one first.',
    ]);
    first.socket.close();
    await first.closed;
    await until('there is room', () => machines.at(-2)?.destroyed === true);
    await opened(await ticket());
  });

  test('a page of another site opens none, and uses up no ticket', async () => {
    const given = await ticket();
    for (const origin of ['https://evil.example', 'null', `${api.url}1`])
      assert.deepEqual(await refused(given, { origin }), [403, 'Origin: pages of other sites must not open consoles.']);
    await opened(given, api.url);
  });

  test('what is no websocket of ours is refused in the shape of all errors, and the connection closed', async () => {
    const plain = await api.ask('GET', `/console/${await ticket()}/stream`);
    assert.equal(plain.status, 426);
    assert.equal(plain.body['minorErrorCode'], 'UPGRADE_REQUIRED');
    const upgrade = 'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n';
    const cases: readonly (readonly [string, number])[] = [
      [`GET /cloudapi/1.0.0/vms HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n${upgrade}\r\n`, 404],
      [`GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n${upgrade}\r\n`, 404],
      [
        `POST /cloudapi/1.0.0/sessions HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nContent-Length: 2\r\n${upgrade}\r\n{}`,
        404,
      ],
      [`GET /console/x/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n${upgrade}\r\n`, 400],
      [`GET /console/x/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`, 400],
    ];
    for (const [text, status] of cases) {
      const answer = await spoken(text);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), text);
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as object;
      assert.deepEqual(Object.keys(body), ['minorErrorCode', 'message', 'stackTrace'], text);
    }
  });

  /** Resolves to everything that the server sends until it closes the connection. */
  async function spoken(text: string): Promise<string> {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }

  test('who reads slowly makes the machine wait, and gets everything in the end', async () => {
    const { socket } = await opened(await ticket());
    const source = machines.at(-1);
    assert.ok(source !== undefined);
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const most = 500;
    let pushed = 0;
    socket.pause();
    source.onWanted = () => {
      if (pushed < most) pushed += 1;
      else return;
      source.push(chunk);
    };
    source.onWanted();
    let seen = -1;
    await until(
      'the machine waits',
      () => {
        const rests = seen === pushed && source.isPaused();
        seen = pushed;
        return rests;
      },
      { everyMs: 100 },
    );
    assert.ok(pushed < most * 0.8, `${pushed} of ${most} pieces were taken from the machine`);
    let received = 0;
    socket.on('message', (data: Buffer) => (received += data.length));
    socket.resume();
    await until('all is there', () => received === most * chunk.length, { deadlineMs: 30_000 });
  });

  test('a machine that reads slowly makes the browser wait', async () => {
    const { socket } = await opened(await ticket());
    const source = machines.at(-1);
    assert.ok(source !== undefined);
    source.holdsWrites = () => undefined;
    const piece = Buffer.alloc(256 * 1024, 'y');
    const most = 40;
    for (let at = 0; at < most; at += 1) socket.send(piece);
    await until('the machine has had enough', () => source.writableNeedDrain);
    await once(socket, 'ping'); // data in flight has arrived by now, or is held back
    assert.ok(source.writableLength < 4 * piece.length, `${source.writableLength} bytes wait in our memory`);
    const go = source.holdsWrites;
    source.holdsWrites = undefined;
    go?.();
    await until('all is typed', () => source.typed.length === most * piece.length, { deadlineMs: 30_000 });
  });

  test('the page is plain, may do nothing but what it is for, and does not use up the ticket', async () => {
    const given = await ticket({ kind: 'serial' });
    for (let time = 0; time < 2; time += 1) {
      const page = await api.ask('GET', `/console/${given}`);
      assert.equal(page.status, 200);
      assert.match(page.text, /<h1>web &amp; &lt;db&gt;<\/h1>/);
      assert.doesNotMatch(page.text, /<script>|<style|style=|onclick|<db>/);
      assert.ok(!page.text.includes(given), 'the ticket is in the page');
      const policy = String(page.headers['content-security-policy']);
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.equal(page.headers['referrer-policy'], 'no-referrer');
      assert.equal(page.headers['cache-control'], 'no-store');
      assert.equal(page.headers['x-content-type-options'], 'nosniff');
      for (const [, url = ''] of page.text.matchAll(/(?:href|src|data-library)="(\/[^"]+)"/g)) await asset(url);
    }
    await opened(given);
    const screen = await api.ask('GET', `/console/${await ticket({ kind: 'vnc' })}`);
    const [, rfb = ''] = /data-library="([^"]+)"/.exec(screen.text) ?? [];
    await asset(rfb);
    // The modules that it imports exist too.
    const { text } = await api.ask('GET', rfb);
    for (const [, file = ''] of text.matchAll(/^import .*from ['"](.+)['"];/gm))
      await asset(new URL(file, `http://x${rfb}`).pathname);
  });

  async function asset(url: string): Promise<void> {
    const { status, headers } = await api.ask('GET', url);
    assert.equal(status, 200, url);
    assert.match(String(headers['content-type']), /^text\/(javascript|css); charset=utf-8$/);
    assert.match(String(headers['cache-control']), /max-age=31536000, immutable/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  }

  test('nothing else is served as a part of the page', async () => {
    for (const path of ['x', '../../../package.json', '..%2f..%2fpackage.json', 'novnc-1.7.0/package.json'])
      assert.equal(await statusOf(`/console/assets/${path}`), 404, path);
  });

  /** Sends the path unchanged: undici would normalize it. */
  async function statusOf(path: string): Promise<number> {
    const asked = httpRequest(new URL(api.url), { path });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  }

  test('tickets of long ago are forgotten', async () => {
    await ticket();
    const old = new Date(Date.now() - 2 * 3_600_000);
    await ticket();
    const [first] = await api.db.selectFrom('console_tickets').select('hash').where('vm_id', '=', vm.id).execute();
    assert.ok(first !== undefined);
    await api.db.updateTable('console_tickets').set({ expires_at: old }).where('hash', '=', first.hash).execute();
    assert.equal(await dropOldConsoleTickets(api.db), 1);
    assert.equal(
      (await api.db.selectFrom('console_tickets').where('vm_id', '=', vm.id).selectAll().execute()).length,
      1,
    );
  });
});
