import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createTask } from '../../db/tasks/tasks.ts';
import { tellStale } from '../../db/clusters/stale-notices.ts';
import { sweepRetention } from '../../db/retention/retention.ts';
import { makeVapp, makeVdc, makeVm, observe, setCluster, unique } from '../../../../../test/database/rows.ts';
import { openEventStream, type EventStream, type StreamRequest } from '../../../../../test/api/event-stream.ts';
import { startApi, testSettings, type ApiHarness, type Person } from '../../../../../test/api/harness.ts';
import { until } from '../../../../../test/runtime/until.ts';
import type { Vm } from '../../db/vms/vms.ts';
import { EventHub } from './hub.ts';
import { SseStream } from './sse-stream.ts';

describe('the stream of events', { timeout: 180_000 }, () => {
  let api: ApiHarness;
  let person: Person;
  const streams: EventStream[] = [];

  before(async () => {
    api = await startApi({ settings: { ...testSettings, eventStreams: { ofUser: 4, checkMs: 50 } } });
    person = await api.person('vApp User');
  });
  after(async () => {
    for (const stream of streams) stream.close();
    await api.stop();
  });

  async function listen(asked: Partial<StreamRequest> = {}): Promise<EventStream> {
    const stream = await openEventStream(api.url, { token: person.token, ...asked });
    streams.push(stream);
    if (stream.status === 200) await stream.next(({ event }) => event === 'ready', 'the stream is ready');
    return stream;
  }

  async function machine(of: Person = person): Promise<Vm> {
    const { id } = await makeVdc(api.db, { organization_id: of.organizationId });
    return makeVm(api.db, { vapp_id: (await makeVapp(api.db, { vdc_id: id })).id });
  }

  test('tells what becomes of a machine, in the words that its route has', async () => {
    const stream = await listen({ query: '?kinds=vm' });
    assert.match(String(stream.headers['content-type']), /^text\/event-stream/);
    assert.ok(stream.headers['x-vmware-vcloud-request-id']);
    const vm = await machine();
    await observe(api.db, vm, 'POWERING_ON');
    await observe(api.db, vm, 'POWERED_ON', { sequence: 2 });
    const event = await stream.next(({ data }) => data['status'] === 'POWERED_ON');
    assert.equal(event.event, 'vm');
    assert.deepEqual(
      { ...event.data, at: undefined },
      {
        type: 'vm',
        operation: 'observed',
        id: `urn:vcloud:vm:${vm.id}`,
        at: undefined,
        org: { id: `urn:vcloud:org:${person.organizationId}` },
        vdc: { id: `urn:vcloud:vdc:${vm.vdc_id}` },
        vapp: { id: `urn:vcloud:vapp:${vm.vapp_id}` },
        status: 'POWERED_ON',
        previousStatus: 'POWERING_ON',
        stale: true,
      },
    );
    await setCluster(api.db, { name: vm.cluster, state: 'synced' });
    const more = await machine();
    await observe(api.db, more, 'POWERED_OFF');
    const current = await stream.next(({ data }) => data['status'] === 'POWERED_OFF');
    assert.equal(current.data['stale'], false, 'its cluster is followed');
    await setCluster(api.db, { name: vm.cluster, state: 'synced', unreadable_namespaces: [more.namespace] });
    await observe(api.db, more, 'FAILED', { sequence: 2 });
    const unreadable = await stream.next(({ data }) => data['status'] === 'FAILED');
    assert.equal(unreadable.data['stale'], true);
    await setCluster(api.db, { name: vm.cluster, state: 'synced', unreadable_namespaces: [] });
    stream.close();
  });

  test('tells of tasks how far they are, and whose they are', async () => {
    const stream = await listen({ query: '?kinds=task' });
    const vm = await machine();
    const { id } = await createTask(api.db, {
      organization_id: person.organizationId,
      owner_kind: 'vm',
      owner_id: vm.id,
      operation: 'vmPowerOn',
    });
    const { data } = await stream.next((event) => event.data['id'] === `urn:vcloud:task:${id}`);
    assert.deepEqual(
      [data['status'], data['progress'], data['operationName'], data['owner']],
      ['queued', 0, 'vmPowerOn', { id: `urn:vcloud:vm:${vm.id}` }],
    );
    stream.close();
  });

  test('says nothing of other organisations, nor of what only administrators see', async () => {
    const stranger = await api.person('Organization Administrator');
    const administrator = await api.person('System Administrator');
    const [mine, theirs, all] = await Promise.all([
      listen(),
      listen({ token: stranger.token }),
      listen({ token: administrator.token }),
    ]);
    await machine(stranger);
    await api.db
      .updateTable('users')
      .set({ description: 'x' })
      .where('id', 'in', [person.userId, stranger.userId])
      .execute();
    await sql`INSERT INTO clusters (name, state, epoch) VALUES ('far', 'synced', 1)`.execute(api.db);
    const mark = await machine();
    const isMark = ({ data }: EventStream['events'][number]): boolean => data['id'] === `urn:vcloud:vm:${mark.id}`;
    await mine.next(isMark, 'the own machine is told of');
    await all.next(isMark, 'the administrator hears of all');
    await machine(stranger);
    await until(
      'the stranger hears of the own',
      () => theirs.events.filter(({ event }) => event === 'vm').length === 2,
    );
    const orgs = (stream: EventStream): unknown[] => [
      ...new Set(
        stream.events.flatMap(({ data }) => (data['org'] === undefined ? [] : [(data['org'] as { id: string }).id])),
      ),
    ];
    const kinds = (stream: EventStream): Set<string> => new Set(stream.events.map(({ event }) => event));
    assert.deepEqual(orgs(mine), [`urn:vcloud:org:${person.organizationId}`]);
    assert.deepEqual(orgs(theirs), [`urn:vcloud:org:${stranger.organizationId}`]);
    assert.deepEqual([kinds(mine).has('user'), kinds(mine).has('cluster')], [false, false]);
    assert.deepEqual([kinds(theirs).has('user'), kinds(theirs).has('cluster')], [true, false]);
    assert.deepEqual([kinds(all).has('user'), kinds(all).has('cluster')], [true, true]);
    for (const stream of [mine, theirs, all]) stream.close();
  });

  test('tells once for each virtual data center that what is shown of it is stale, or current again, whoever notices', async () => {
    const cluster = unique('quiet');
    const stranger = await api.person('Organization Administrator');
    const place = { organization_id: person.organizationId, cluster };
    const [one, two] = [await makeVdc(api.db, place), await makeVdc(api.db, place)];
    await makeVdc(api.db, { organization_id: stranger.organizationId, cluster });
    const vm = await makeVm(api.db, { vapp_id: (await makeVapp(api.db, { vdc_id: one.id })).id });
    for (let many = 0; many < 20; many += 1) await makeVm(api.db, { vapp_id: vm.vapp_id });
    await setCluster(api.db, { name: cluster, state: 'synced' });
    const replicas = (): Promise<unknown> => Promise.all([tellStale(api.db), tellStale(api.db), tellStale(api.db)]);
    await replicas();
    const administrator = await api.person('System Administrator');
    const [all, ofOne, provider] = [
      await listen(),
      await listen({ query: `?kinds=vm,vdc&entity=urn:vcloud:vm:${vm.id}` }),
      await listen({ token: administrator.token, query: '?kinds=cluster' }),
    ];
    const told = (stream: EventStream): readonly unknown[] =>
      stream.events
        .filter(({ data }) => data['stale'] !== undefined)
        .map(({ data }) => [data['id'] ?? data['name'], data['stale']]);
    const sorted = (pairs: readonly unknown[]): readonly unknown[] =>
      pairs.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    const urns = [one, two].map(({ id }) => `urn:vcloud:vdc:${id}`).toSorted();
    for (const stale of [true, false]) {
      await setCluster(
        api.db,
        { name: cluster, state: 'synced' },
        stale ? { contactedMsAgo: 60_000, currentForMs: 15_000 } : {},
      );
      await replicas();
      await until(
        'all are told',
        () => told(all).length >= (stale ? 2 : 4) && told(provider).length >= (stale ? 1 : 2),
      );
      await replicas();
    }
    const mark = await machine();
    await all.next(({ data }) => data['id'] === `urn:vcloud:vm:${mark.id}`);
    assert.deepEqual(
      [sorted(told(all).slice(0, 2)), sorted(told(all).slice(2))],
      [urns.map((id) => [id, true]), urns.map((id) => [id, false])],
    );
    assert.deepEqual(told(provider), [
      [cluster, true],
      [cluster, false],
    ]);
    await until('who listens to one machine is told', () =>
      told(ofOne).some((one) => isDeepStrictEqual(one, [urns[0], false])),
    );
    for (const stream of [all, ofOne, provider]) stream.close();
  });

  test('goes on behind the last event that was seen, and misses none', async () => {
    const first = await listen();
    const [one, two] = [await machine(), await machine()];
    const seen = await first.next(({ data }) => data['id'] === `urn:vcloud:vm:${one.id}`);
    first.close();
    const three = await machine();
    const second = await listen({ lastEventId: seen.id });
    await second.next(({ data }) => data['id'] === `urn:vcloud:vm:${three.id}`);
    const four = await machine();
    await second.next(({ data }) => data['id'] === `urn:vcloud:vm:${four.id}`);
    const vms = second.events.filter(({ event }) => event === 'vm').map(({ data }) => data['id']);
    assert.deepEqual(
      vms,
      [two, three, four].map(({ id }) => `urn:vcloud:vm:${id}`),
    );
    second.close();
  });

  test('ends by itself when all events up to now are sent, where that is asked for', async () => {
    const live = await listen();
    const [{ id: from }] = live.events as [EventStream['events'][number]];
    const vm = await machine();
    await live.next(({ data }) => data['id'] === `urn:vcloud:vm:${vm.id}`);
    const replay = await listen({
      lastEventId: from,
      query: `?follow=false&kinds=vm,vapp&vdc=urn:vcloud:vdc:${vm.vdc_id}`,
    });
    await replay.ended;
    assert.deepEqual(
      replay.events.map(({ event }) => event),
      ['ready', 'vapp', 'vm'],
    );
    live.close();
  });

  test('is of one vApp, or of one entity and the tasks on it, where that is asked for', async () => {
    const live = await listen();
    const [{ id: lastEventId }] = live.events as [EventStream['events'][number]];
    const [one, other] = [await machine(), await machine()];
    for (const { id } of [one, other])
      await createTask(api.db, {
        organization_id: person.organizationId,
        owner_kind: 'vm',
        owner_id: id,
        operation: 'vmPowerOn',
      });
    const told = async (query: string): Promise<readonly string[]> => {
      const replay = await listen({ lastEventId, query: `?follow=false&${query}` });
      await replay.ended;
      return replay.events.map(({ event }) => event);
    };
    assert.deepEqual(await told(`kinds=vm&vapp=urn:vcloud:vapp:${one.vapp_id}`), ['ready', 'vm']);
    assert.deepEqual(await told(`entity=urn:vcloud:vm:${one.id}`), ['ready', 'vm', 'task']);
    live.close();
  });

  test('says so where what was missed is not known any more', async () => {
    const live = await listen();
    const [{ id: from }] = live.events as [EventStream['events'][number]];
    await machine();
    await until('nobody is at work above the log', async () => {
      await sweepRetention(api.db, { changeLog: 0, tasks: 1e9, audit: 1e9, deleted: 1e9 });
      return (await api.db.selectFrom('change_log').selectAll().execute()).length === 0;
    });
    const late = await listen({ lastEventId: from, query: '?follow=false' });
    await late.ended;
    assert.deepEqual(
      late.events.map(({ event }) => event),
      ['ready', 'reset'],
    );
    const another = await listen({ lastEventId: '9999999999-1', query: '?follow=false' });
    await another.ended;
    assert.equal(another.events.at(-1)?.event, 'reset', 'an id of another life of the database');
    live.close();
  });

  /** Waits for the end here, because the end of the tests would close the stream too. */
  async function ends(stream: EventStream): Promise<void> {
    let hasEnded = false;
    void stream.ended.then(() => (hasEnded = true));
    await until('the stream has ended', () => hasEnded);
  }

  test('ends with the session, and where its user has another role', async () => {
    const leaver = await api.person('vApp Author');
    const stream = await listen({ token: leaver.token });
    await api.ask('DELETE', '/cloudapi/1.0.0/sessions/current', { token: leaver.token });
    await ends(stream);

    const demoted = await api.person('vApp Author');
    const other = await listen({ token: demoted.token });
    await api.db.deleteFrom('user_roles').where('user_id', '=', demoted.userId).execute();
    await ends(other);
  });

  test('refuses what it cannot follow, with the field and the rule', async () => {
    const cases: readonly (readonly [string, Record<string, string>, number, RegExp])[] = [
      ['?kinds=vm,nothing', {}, 400, /^kinds: "nothing" is not a kind of event that you can receive; use vm, vapp/],
      ['?kinds=cluster', {}, 400, /^kinds: "cluster"/],
      ['?vdc=x', {}, 400, /vdc/],
      ['', { 'last-event-id': 'yesterday' }, 400, /^Last-Event-ID: "yesterday" is not an event id/],
    ];
    for (const [query, headers, status, message] of cases) {
      const answer = await api.ask<{ message: string }>('GET', `/cloudapi/1.0.0/events${query}`, {
        token: person.token,
        headers,
      });
      assert.equal(answer.status, status, query);
      assert.match(answer.body.message, message);
    }
    assert.equal((await api.ask('GET', '/cloudapi/1.0.0/events')).status, 401);
  });

  test('a user has no more than a few of them', async () => {
    const many = await api.person('Read-only');
    const open = await Promise.all([1, 2, 3, 4].map(() => listen({ token: many.token })));
    const answer = await api.ask<{ message: string }>('GET', '/cloudapi/1.0.0/events', { token: many.token });
    assert.equal(answer.status, 429);
    assert.match(answer.body.message, /4 open event streams/);
    open[0]?.close();
    await until('the place is free again', async () => {
      const again = await openEventStream(api.url, { token: many.token, query: '?follow=false' });
      await again.ended;
      return again.status === 200;
    });
    for (const stream of open) stream.close();
  });

  test('a slow reader gets its events later, out of the log, and keeps nothing in memory', async () => {
    const { organizationId } = await api.person('Read-only');
    const vdc = await makeVdc(api.db, { organization_id: organizationId });
    let behind = 0;
    const hub = new EventHub(api.test.database, { log: pino({ level: 'silent' }), onBehind: () => (behind += 1) });
    const [slow, quick] = [new Reader(), new Reader()];
    quick.read();
    const end = new AbortController();
    const filter = { scope: organizationId, kinds: new Set(['task'] as const) };
    const listening = { from: undefined, follow: true, signal: end.signal };
    const served = [slow, quick].map((reader) => hub.serve(filter, new SseStream(reader), listening));
    await until('both listen', () => hub.size === 2);
    const many = 3_000;
    await sql`
      INSERT INTO tasks (organization_id, owner_kind, owner_id, operation)
      SELECT ${organizationId}, 'vdc', ${vdc.id}, 'vdcUpdate' FROM generate_series(1, ${many})
    `.execute(api.db);
    await until('the quick one has them all', () => quick.tasks().length === many, { deadlineMs: 60_000 });
    assert.equal(behind, 1);
    // Up to one batch above the limit.
    assert.ok(slow.writableLength < 512 * 1024, `${slow.writableLength} bytes wait`);
    slow.read();
    await until('the slow one has them, too', () => slow.tasks().length >= many, { deadlineMs: 60_000 });
    assert.equal(new Set(slow.tasks()).size, many);
    assert.equal(slow.tasks().length, many, 'each once');
    end.abort();
    await Promise.all(served);
    await hub.close();
  });
});

/** Accepts nothing until `read` is called. */
class Reader extends Writable {
  #text = '';
  #isReading = false;
  #next: () => void = () => undefined;

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    this.#text += chunk;
    if (this.#isReading) done();
    else this.#next = done;
  }

  read(): void {
    this.#isReading = true;
    this.#next();
  }

  tasks(): readonly string[] {
    return [...this.#text.matchAll(/"id":"urn:vcloud:task:([0-9a-f-]{36})"/g)].map(([, id = '']) => id);
  }
}
