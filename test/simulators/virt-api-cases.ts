/**
 * What virt-api's subresources do through an API server, the sandbox or a real one: their writes, and the bytes of
 * consoles.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Duplex, PassThrough } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import type { WebSocket } from 'ws';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { virtualMachineInstanceMigrations } from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import type { VirtHandler } from '../../packages/sandbox/src/simulators/kubevirt/virt-handler.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { recordingHandler } from '../kubevirt/recording-handler.ts';
import { missingRecordings } from '../kubevirt/transcripts.ts';
import { notRun } from '../not-run.ts';
import { until } from '../runtime/until.ts';
import { recordedVm, recordedVmi, type RecordedState } from './recorded-machines.ts';
import { API, NAMESPACE, startVirtApi, type VirtApiHarness } from './virt-api-harness.ts';

const VM = `${API}/virtualmachines/vm1`;
const VMI = `${API}/virtualmachineinstances/vm1`;
const VIRT_API = 'system:serviceaccount:kubevirt:kubevirt-apiserver';

type RunStrategy = NonNullable<RecordedState['vm']>['runStrategy'];

const stopped = (runStrategy: RunStrategy): RecordedState => ({
  state: 'stopped',
  vm: { runStrategy, printableStatus: 'Stopped', created: null, ready: null, stateChangeRequests: null },
  vmi: null,
});

const running = (runStrategy: RunStrategy, conditions: readonly string[] = ['Ready=True']): RecordedState => ({
  state: 'running',
  vm: { runStrategy, printableStatus: 'Running', created: true, ready: true, stateChangeRequests: null },
  vmi: { phase: 'Running', deleting: false, conditions },
});

/** The guest's agent answers like the recorded one. */
export function virtApiCases(file: string, start: () => Promise<Cluster>): void {
  const missing = missingRecordings();
  if (missing === undefined) casesOn(start);
  else test("virt-api's subresources", { skip: notRun(file, missing) });
}

function casesOn(start: () => Promise<Cluster>): void {
  const base = recordingHandler();
  /** The guest's ends of the opened streams, newest last. */
  const guests: Duplex[] = [];
  const opened: string[] = [];
  const handler: VirtHandler = {
    ...base,
    open: (_vmi, what, options) => {
      opened.push(`${what} ${JSON.stringify(options ?? {})}`);
      return Promise.resolve(guest());
    },
    portForward: (_vmi, port, protocol) => {
      opened.push(`${protocol}/${port}`);
      return port === 1 ? Promise.reject(new Error('connection refused')) : Promise.resolve(guest());
    },
    unpause: () => Promise.reject(new Error('the domain is gone')),
  };
  const guest = (): Duplex => {
    const [near, far] = pair();
    guests.push(far);
    return near;
  };

  let harness: VirtApiHarness;
  before(async () => {
    harness = await startVirtApi(handler, start);
  });
  after(() => harness?.stop());

  const place = (state: RecordedState): Promise<void> => harness.place(recordedVm(state), recordedVmi(state));
  const put = async (path: string, body?: JsonObject | string): Promise<number> =>
    (await harness.http.send({ method: 'PUT', path, ...(body !== undefined && { body }) })).status;

  describe('power', () => {
    test('start, stop and start again follow each other at once', async () => {
      await place(stopped('Halted'));
      assert.equal(await put(`${VM}/start`), 202);
      assert.equal((await harness.vm()).spec.runStrategy, 'Always');
      assert.equal(await put(`${VM}/stop`, 'gracePeriod: 0\n'), 202);
      assert.equal((await harness.vm()).spec.runStrategy, 'Halted');
      assert.equal(await put(`${VM}/start`, '{}'), 202);
      assert.equal((await harness.vm()).spec.runStrategy, 'Always');
      assert.equal(await put(`${VM}/start`), 409);
    });

    test('a manual VM gets requests, one at a time, and a stop takes the place of all', async () => {
      await place(stopped('Manual'));
      assert.equal(await put(`${VM}/start`, { paused: true }), 202);
      const paused = [{ action: 'Start', data: { paused: 'true' } }];
      assert.deepEqual((await harness.vm()).status?.stateChangeRequests, paused);
      assert.equal(await put(`${VM}/start`), 500);
      assert.deepEqual((await harness.vm()).status?.stateChangeRequests, paused);
      await place(running('Manual'));
      const { uid } = (await harness.vmi()).metadata;
      assert.equal(await put(`${VM}/restart`), 202);
      assert.equal(await put(`${VM}/stop`, { gracePeriod: 7 }), 202);
      assert.deepEqual((await harness.vm()).status?.stateChangeRequests, [{ action: 'Stop', uid }]);
      assert.equal((await harness.vmi()).spec.terminationGracePeriodSeconds, 7);
    });

    test('a forced restart grants the guest a second', async () => {
      await place(running('Always'));
      const { uid } = (await harness.vmi()).metadata;
      assert.equal(await put(`${VM}/restart`, { gracePeriodSeconds: 0 }), 202);
      assert.equal((await harness.vmi()).spec.terminationGracePeriodSeconds, 1);
      assert.deepEqual((await harness.vm()).status?.stateChangeRequests, [
        { action: 'Stop', uid },
        { action: 'Start' },
      ]);
    });

    test('a dry run changes nothing', async () => {
      await place(running('Always'));
      const [vm, vmi] = [await harness.vm(), await harness.vmi()];
      const dryRun = ['All'];
      for (const action of ['stop', 'restart', 'migrate']) assert.equal(await put(`${VM}/${action}`, { dryRun }), 202);
      assert.equal(await put(`${VM}/stop`, { dryRun, gracePeriod: 0 }), 202);
      assert.equal(await put(`${VM}/addvolume`, { ...volume, dryRun }), 202);
      assert.equal(await put(`${VM}/stop`, { dryRun: ['Some'] }), 500);
      assert.deepEqual(await harness.vm(), vm);
      assert.deepEqual(await harness.vmi(), vmi);
      assert.deepEqual((await migrations()).length, 0);
    });

    test('virt-api writes in its own name', async () => {
      await place(stopped('Halted'));
      await put(`${VM}/start`);
      const managers = (await harness.vm()).metadata.managedFields as readonly { readonly manager?: string }[];
      assert.ok(managers.some(({ manager }) => manager === 'virt-api'));
      const { body } = await harness.world.as('virt-api').client.request({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      });
      assert.equal((body as { status: { userInfo: { username: string } } }).status.userInfo.username, VIRT_API);
    });
  });

  const volume = {
    name: 'data',
    disk: { disk: { bus: 'scsi' } },
    volumeSource: { persistentVolumeClaim: { claimName: 'p2' } },
  };
  const migrations = async () =>
    (await harness.world.administrator.list(virtualMachineInstanceMigrations, { namespace: NAMESPACE })).items;

  test('a migration is an object for virt-controller', async () => {
    await place(running('Always'));
    assert.equal(await put(`${VM}/migrate`, { addedNodeSelector: { zone: 'b' } }), 202);
    const [migration] = await migrations();
    assert.match(migration?.metadata.name ?? '', /^kubevirt-migrate-vm-[a-z0-9]{5}$/);
    assert.deepEqual(migration?.spec, { vmiName: 'vm1', addedNodeSelector: { zone: 'b' } });
  });

  test('a volume is plugged into the template, and out of it', async () => {
    await place(running('Always'));
    assert.equal(await put(`${VM}/addvolume`, volume), 202);
    const { spec } = (await harness.vm()).spec.template;
    assert.deepEqual(spec.volumes?.at(-1), {
      name: 'data',
      persistentVolumeClaim: { claimName: 'p2', hotpluggable: true },
    });
    assert.deepEqual((spec.domain['devices'] as { disks: unknown[] }).disks.at(-1), {
      name: 'data',
      disk: { bus: 'scsi' },
    });
    assert.equal(await put(`${VM}/addvolume`, volume), 409);
    assert.equal(await put(`${VM}/removevolume`, { name: 'data' }), 202);
    assert.equal((await harness.vm()).spec.template.spec.volumes?.length, 1);
  });

  test('what virt-handler cannot do is an internal error in its words', async () => {
    await place(running('Always', ['Ready=True', 'Paused=True']));
    const { status, body } = await harness.http.send({ method: 'PUT', path: `${VMI}/unpause` });
    assert.equal(status, 500);
    assert.equal((body as JsonObject)['message'], 'Internal error occurred: the domain is gone');
  });

  describe('streams', () => {
    before(() => place(running('Always')));
    const connect = (path: string, protocols: readonly string[] = ['plain.kubevirt.io']): Promise<WebSocket> =>
      harness.world.administrator.connect(path, { protocols });
    const latest = (): Duplex => {
      const far = guests.at(-1);
      assert.ok(far !== undefined, 'a stream was opened');
      return far;
    };

    test('bytes go both ways, as binary messages of plain.kubevirt.io', async () => {
      const client = await connect(`${VMI}/console`);
      assert.equal(client.protocol, 'plain.kubevirt.io');
      const far = latest();
      client.send(Buffer.from([0, 255, 10]));
      assert.deepEqual(await nextChunk(far), Buffer.from([0, 255, 10]));
      client.send('text is bytes, too');
      assert.equal((await nextChunk(far)).toString(), 'text is bytes, too');
      const answered = once(client, 'message', soon());
      far.write(Buffer.from([255, 0]));
      const [data, isBinary] = (await answered) as [Buffer, boolean];
      assert.deepEqual(data, Buffer.from([255, 0]));
      assert.equal(isBinary, true);
      client.send('last words');
      client.close();
      assert.equal((await nextChunk(far)).toString(), 'last words');
      await until('the guest is told', () => far.destroyed || (far.read(), far.readableEnded));
    });

    test('a client that speaks another protocol is let in without one', async () => {
      // The client rejects an answer that selects none of its protocols; so does a browser.
      await assert.rejects(connect(`${VMI}/console`, ['binary.k8s.io']));
    });

    test('when the guest ends, the client is notified, after the last bytes', async () => {
      const client = await connect(`${VMI}/console`);
      const received: Buffer[] = [];
      client.on('message', (data: Buffer) => received.push(data));
      const closed = once(client, 'close', soon());
      const many = Buffer.alloc(4 * 1024 * 1024, 'x');
      latest().write(many);
      latest().end('bye');
      const [code] = (await closed) as [number];
      assert.equal(code, 1000);
      assert.ok(Buffer.concat(received).equals(Buffer.concat([many, Buffer.from('bye')])));
    });

    test('a client that is cut off is noticed', async () => {
      const client = await connect(`${VMI}/console`);
      const far = latest();
      client.terminate();
      await until('the guest is told', () => far.destroyed || (far.read(), far.readableEnded));
    });

    test('a client that does not read holds the guest up', async () => {
      const client = await connect(`${VMI}/console`);
      const far = latest();
      client.pause();
      const chunk = Buffer.alloc(256 * 1024);
      let written = 0;
      const most = 256 * 1024 * 1024;
      while (written < most && (far.write(chunk) || (await drained(far)))) written += chunk.length;
      assert.ok(written < most, `${written} bytes went into a connection that nobody reads`);
      const closed = once(client, 'close', soon());
      client.terminate();
      client.resume();
      await closed;
    });

    test('a new session at the screen ends the one before, unless it asks to leave that alone', async () => {
      opened.length = 0;
      const first = await connect(`${VMI}/vnc`);
      const ended = once(first, 'close', soon());
      const second = await connect(`${VMI}/vnc?preserveSession=no`);
      await ended;
      await assert.rejects(connect(`${VMI}/vnc?preserveSession=true`), {
        code: 500,
        message: /dialing virt-handler: .*Active VNC connection\. Request denied\./,
      });
      assert.equal(second.readyState, second.OPEN);
      second.terminate();
      await until('the screen is free', () => latest().destroyed || (latest().read(), latest().readableEnded));
      (await connect(`${VMI}/vnc?preserveSession=true`)).terminate();
      assert.deepEqual(opened, [
        'vnc {"preserveSession":false}',
        'vnc {"preserveSession":false}',
        'vnc {"preserveSession":true}',
      ]);
    });

    test('ports are forwarded, of the VM or of its VMI, and a refused one is reported', async () => {
      opened.length = 0;
      (await connect(`${VM}/portforward/22`)).terminate();
      (await connect(`${VMI}/portforward/53/udp`)).terminate();
      assert.deepEqual(opened, ['tcp/22', 'udp/53']);
      await assert.rejects(connect(`${VMI}/portforward/1`), { code: 500, message: /dialing VM: connection refused/ });
      await assert.rejects(connect(`${VMI}/portforward/22/sctp`), { code: 500 });
    });

    test('without a websocket there is no console', async () => {
      const { status, body } = await harness.http.send({ method: 'GET', path: `${VMI}/console` });
      assert.equal(status, 400);
      assert.match(String((body as JsonObject)['message']), /not using the websocket protocol/);
    });

    test('a websocket where there is none is answered like any other call', async () => {
      await assert.rejects(connect(`${VMI}/nosuchsub`), { code: 404 });
      await assert.rejects(connect(`${VMI}/guestosinfo`), { code: 500 });
    });
  });

  test('both versions are served', async () => {
    for (const version of ['v1', 'v1alpha3']) {
      const path = `/apis/subresources.kubevirt.io/${version}`;
      const { status, body } = await harness.http.send({ method: 'GET', path });
      assert.equal(status, 200);
      const { groupVersion, resources } = body as JsonObject & { readonly resources: readonly JsonObject[] };
      assert.equal(groupVersion, `subresources.kubevirt.io/${version}`);
      assert.ok(resources.some(({ name }) => name === 'virtualmachines/start'));
      assert.equal((await harness.http.send({ method: 'GET', path: `${path}/version` })).status, 200);
      assert.equal((await harness.http.send({ method: 'GET', path: `${path}/healthz` })).status, 200);
    }
  });
}

const soon = (): { signal: AbortSignal } => ({ signal: AbortSignal.timeout(10_000) });

/** The two ends of a line. */
function pair(): readonly [Duplex, Duplex] {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const near = Duplex.from({ readable: back, writable: there });
  const far = Duplex.from({ readable: there, writable: back });
  for (const end of [near, far]) end.on('error', () => undefined);
  near.once('close', () => far.destroy());
  return [near, far];
}

async function nextChunk(stream: Duplex): Promise<Buffer> {
  const waiting: Buffer | null = stream.read() as Buffer | null;
  if (waiting !== null) return waiting;
  await once(stream, 'readable', soon());
  return stream.read() as Buffer;
}

/** Whether the stream drains soon; an unread stream does not. */
async function drained(stream: Duplex): Promise<boolean> {
  try {
    await once(stream, 'drain', { signal: AbortSignal.timeout(1000) });
    return true;
  } catch {
    return false;
  }
}
