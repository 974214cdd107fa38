import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scene, steady, wordFor } from '../../../../test/runtime/informer-scene.ts';
import type { ConfigMap } from '../../../../test/runtime/informer-scene.ts';
import { openStream, refuse, struck, writeLine } from '../../../../test/runtime/kind-server.ts';
import { configMaps } from '../../../../test/runtime/scripted-scene.ts';
import { until } from '../../../../test/runtime/until.ts';
import type { LedgerHandler } from './ledger.ts';

interface Fields {
  readonly v: string;
}
const fields = ({ data }: ConfigMap): Fields => ({ v: data?.['v'] ?? '' });
const inTime = (): AbortSignal => AbortSignal.timeout(30_000);

/**
 * Records what the handler receives. `a1<0`: a has v = 1, and had 0 before. `-a1`: a is gone. `!` marks an initial
 * object or an unknown final state.
 */
class Clerk implements LedgerHandler<ConfigMap, Fields> {
  readonly name = 'clerk';
  readonly lines: string[] = [];
  /** Awaited before each record. */
  gate: () => void | Promise<void> = () => undefined;

  async changed(
    ...[object, previous, { initial }]: Parameters<LedgerHandler<ConfigMap, Fields>['changed']>
  ): Promise<void> {
    await this.gate();
    this.lines.push(`${wordFor(object)}${previous === undefined ? '' : `<${previous.fields.v}`}${initial ? '!' : ''}`);
  }

  async gone(...[entry, { finalStateUnknown }]: Parameters<LedgerHandler<ConfigMap, Fields>['gone']>): Promise<void> {
    await this.gate();
    this.lines.push(`-${entry.key.name}${entry.fields.v}${finalStateUnknown ? '!' : ''}`);
  }
}

test('a ledger hands over whole objects and keeps an entry of each', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '1', big: 'x'.repeat(1000) });
  const handler = new Clerk();
  const ledger = informers.ledger(configMaps, { fields, handler });
  await ledger.synced(inTime());
  kind.put('a', { v: '2' });
  kind.put('b', { v: '1' });
  kind.remove('a');
  await until('all is told', () => handler.lines.length === 4);
  assert.deepEqual(handler.lines, ['a1!', 'a2<1', 'b1', '-a2']);
  assert.deepEqual(
    [...ledger.entries()].map(({ digest: _, ...entry }) => entry),
    [{ uid: 'uid-2', key: { namespace: 'default', name: 'b' }, resourceVersion: '103', fields: { v: '1' } }],
  );
  assert.equal(kind.calls[0]?.query['resourceVersion'], undefined, 'the first list is the newest');
});

test('a ledger hands over objects without managedFields, whether by watch-list or by pages', async (context) => {
  for (const watchList of [true, false]) {
    const { kind, informers } = await scene(context, { reflector: { ...steady, watchList } });
    kind.put('a', { v: '1' });
    const objects: ConfigMap[] = [];
    const handler: LedgerHandler<ConfigMap, Fields> = {
      name: 'reader',
      changed: (object) => void objects.push(object),
      gone: () => undefined,
    };
    const ledger = informers.ledger(configMaps, { fields, handler });
    await ledger.synced(inTime());
    kind.put('b', { v: '1' });
    await until('both are told', () => objects.length === 2);
    assert.deepEqual(
      objects.map(({ metadata, data }) => [metadata.name, 'managedFields' in metadata, data]),
      [
        ['a', false, { v: '1' }],
        ['b', false, { v: '1' }],
      ],
    );
  }
});

test('a ledger whose fields are what counts keeps a text as it is, and tells of nothing where it is the same', async (context) => {
  const { kind, informers } = await scene(context);
  const lines: string[] = [];
  const handler: LedgerHandler<ConfigMap, string> = {
    name: 'reader',
    changed: ({ metadata }, previous) => void lines.push(`${metadata.name}<${previous?.fields ?? ''}`),
    gone: ({ fields: last }) => void lines.push(`-${last}`),
  };
  const text = ({ data }: ConfigMap): string => `${data?.['v']}\n"ü😀"\n`;
  kind.put('a', { v: '1' });
  const ledger = informers.ledger(configMaps, { fields: text, digestOf: 'fields', handler });
  await ledger.synced(inTime());
  kind.put('a', { v: '1', heartbeat: 'now' });
  kind.put('a', { v: '2' });
  kind.put('b', { v: '1' });
  kind.remove('a');
  await until('all is told', () => lines.length === 4);
  assert.deepEqual(lines, ['a<', 'a<1\n"ü😀"\n', 'b<', '-2\n"ü😀"\n']);
  const entry = ledger.get({ namespace: 'default', name: 'b' });
  assert.deepEqual([entry?.fields, entry?.digest, entry?.uid], ['1\n"ü😀"\n', '1\n"ü😀"\n', 'uid-2']);
});

test('a ledger tells of nothing where the digest is the same', async (context) => {
  const { kind, informers } = await scene(context);
  kind.put('a', { v: '1' });
  const handler = new Clerk();
  const digestOf = ({ data }: ConfigMap): unknown => data?.['v'];
  const ledger = informers.ledger(configMaps, { fields, handler, digestOf });
  await ledger.synced(inTime());
  kind.put('a', { v: '1', heartbeat: 'now' });
  kind.put('a', { v: '2' });
  await until('the change is reported', () => handler.lines.length > 1);
  assert.deepEqual(handler.lines, ['a1!', 'a2<1']);
  assert.equal(ledger.get({ namespace: 'default', name: 'a' })?.resourceVersion, '103');
});

test('a ledger that lists again tells of what changed and who is gone, and of another uid as both', async (context) => {
  const { kind, informers } = await scene(context);
  for (const name of ['a', 'b', 'c', 'd']) kind.put(name, { v: '1' });
  const handler = new Clerk();
  const ledger = informers.ledger(configMaps, { fields, handler });
  await ledger.synced(inTime());
  kind.put('d', { v: '2' });
  await until('it has moved', () => handler.lines.length === 5);
  kind.silently(() => {
    kind.put('a', { v: '2' });
    kind.remove('b');
    kind.remove('c');
    kind.put('c', { v: '9' });
  });
  kind.compact();
  kind.endStreams();
  await until('all is told', () => handler.lines.length === 9);
  assert.deepEqual(handler.lines.slice(5).sort(), ['-b1!', '-c1!', 'a2<1', 'c9']);
  assert.equal(ledger.size, 3);
});

/** Also records `=` and the namespace for a completed list. */
class Sweeper extends Clerk {
  async listed({ namespace = '' }: { readonly namespace?: string }): Promise<void> {
    await this.gate();
    this.lines.push(`=${namespace}`);
  }
}

test('a ledger tells that a list was taken behind all that it brought, the first and each later one', async (context) => {
  for (const watchList of [true, false]) {
    const { kind, informers } = await scene(context, { reflector: { ...steady, watchList } });
    for (const name of ['a', 'b']) kind.put(name, { v: '1' });
    const handler = new Sweeper();
    const ledger = informers.ledger(configMaps, { fields, handler });
    await ledger.synced(inTime());
    assert.deepEqual(handler.lines, ['a1!', 'b1!', '='], 'and who waits for the first list has been told of it');
    kind.put('c', { v: '1' });
    await until('it has moved', () => handler.lines.length === 4);
    kind.silently(() => {
      kind.put('a', { v: '2' });
      kind.remove('b');
    });
    kind.compact();
    kind.endStreams();
    await until('the list is told', () => handler.lines.length === 7);
    assert.deepEqual(handler.lines.slice(3), ['c1', 'a2<1', '-b1!', '=']);
  }
});

test('a ledger tells of the list of each namespace, and asks again a handler that fails on one', async (context) => {
  const { kind, informers, clock } = await scene(context);
  for (const namespace of ['one', 'two']) kind.put('a', { v: '1' }, { namespace });
  const handler = new Sweeper();
  let attempts = 0;
  const told = handler.listed.bind(handler);
  handler.listed = async (scope) => {
    if (attempts++ === 0) throw new Error('no database');
    await told(scope);
  };
  const ledger = informers.ledger(configMaps, { namespaces: ['one', 'two'], fields, handler });
  await until('it failed', () => attempts === 1);
  assert.equal(ledger.hasSynced, false);
  await clock.advance(150);
  await ledger.synced(inTime());
  assert.deepEqual(handler.lines.toSorted(), ['=one', '=two', 'a1!', 'a1!']);
});

test('a ledger says since when each of its namespaces cannot be read', async (context) => {
  const { kind, informers, clock } = await scene(context);
  kind.put('a', { v: '1' }, { namespace: 'open' });
  let failing = false;
  kind.scripts.push(({ path }, response) => {
    if (!path.includes('/closed/') && !failing) return false;
    refuse(response, failing ? 503 : 403);
    return true;
  });
  const ledger = informers.ledger(configMaps, { namespaces: ['open', 'closed'], fields, handler: new Clerk() });
  await ledger.synced(inTime());
  const states = (): unknown =>
    ledger.scopes().map(({ namespace, covered, health }) => [namespace, covered, health.trouble]);
  assert.deepEqual(states(), [
    ['open', true, 'none'],
    ['closed', false, 'forbidden'],
  ]);
  assert.equal(ledger.scopes()[0]?.health.failingSince, undefined);
  await clock.advance(5_000);
  failing = true;
  const since = clock.now();
  kind.endStreams();
  await until('it fails', () => ledger.scopes()[0]?.health.trouble === 'failing');
  await clock.advance(5_000);
  await until('it fails again', () => (ledger.scopes()[0]?.health.consecutiveFailures ?? 0) > 1);
  assert.equal(ledger.scopes()[0]?.health.failingSince, since, 'the first failure counts');
  failing = false;
  for (let second = 0; second < 60 && ledger.scopes()[0]?.health.trouble !== 'none'; second++)
    await clock.advance(1_000);
  assert.equal(ledger.scopes()[0]?.health.failingSince, undefined);
});

test('a ledger takes what came of a list that broke off, and takes no object for deleted', async (context) => {
  const { kind, informers, clock } = await scene(context);
  kind.put('a', { v: '1' });
  kind.put('b', { v: '1' });
  const handler = new Clerk();
  const ledger = informers.ledger(configMaps, { fields, handler });
  await ledger.synced(inTime());
  kind.put('b', { v: '2' });
  await until('it has moved', () => handler.lines.length === 3);
  kind.silently(() => kind.put('a', { v: '2' }));
  kind.compact();
  kind.scripts.push(
    struck('stream', 1, (response) => {
      openStream(response);
      writeLine(response, { type: 'ADDED', object: kind.objects.get('default/a') ?? {} });
      response.end();
    }),
  );
  kind.endStreams();
  await until('the change is reported', () => handler.lines.length === 4);
  await until('it pauses', () => ledger.health().state === 'backoff');
  assert.deepEqual([handler.lines.at(-1), ledger.size], ['a2<1', 2]);
  await clock.advance(60_000);
  await until('it watches', () => ledger.health().state === 'watching');
  assert.equal(handler.lines.length, 4, 'and tells nothing twice');
});

test('a handler of a ledger that fails is asked again until it succeeds, in order', async (context) => {
  const { kind, informers, clock } = await scene(context);
  for (const name of ['a', 'b']) kind.put(name, { v: '1' });
  const handler = new Clerk();
  let failures = 0;
  handler.gate = () => {
    if (failures++ < 3) throw new Error('no database');
  };
  const ledger = informers.ledger(configMaps, { fields, handler });
  for (let attempt = 1; attempt <= 3; attempt++) {
    await until('it failed', () => failures === attempt);
    assert.deepEqual([handler.lines, ledger.hasSynced], [[], false]);
    // 100 ms plus up to half of that, then twice as long.
    await clock.advance(150 * 2 ** (attempt - 1));
  }
  await ledger.synced(inTime());
  assert.deepEqual(handler.lines, ['a1!', 'b1!']);
});

test('a ledger reads no further than its handler can follow, whether by watch-list or by pages', async (context) => {
  for (const watchList of [true, false]) {
    const { kind, informers } = await scene(context, { reflector: { ...steady, watchList, pageSize: 10 } });
    for (let count = 0; count < 300; count++) kind.put(`o${count}`, { v: '1', big: 'x'.repeat(2_000) });
    const handler = new Clerk();
    let open: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (open = resolve));
    handler.gate = () => closed;
    let most = 0;
    const ledger = informers.ledger(configMaps, { fields, handler, maxPending: 10 });
    await until('it is full', () => {
      most = Math.max(most, ledger.pending);
      return ledger.pending >= 10;
    });
    // A batch or a page may be in flight when the feed fills up; 64 KiB are about thirty objects.
    assert.ok(ledger.pending < 80, `${ledger.pending} wait`);
    assert.ok(ledger.size < 300 && !ledger.health().synced, 'the rest was not read');
    open();
    await ledger.synced(inTime());
    assert.equal(handler.lines.length, 300);
  }
});

test('a ledger believes a server whose time went back, and tells what is different then', async (context) => {
  const { kind, informers, clock } = await scene(context);
  kind.put('a', { v: '1' });
  const handler = new Clerk();
  const ledger = informers.ledger(configMaps, { fields, handler });
  await ledger.synced(inTime());
  kind.put('b', { v: '1' });
  await until('b is told', () => handler.lines.length === 2);
  kind.silently(() => {
    kind.objects.delete('default/b');
    kind.revision = 40;
    kind.put('a', { v: 'old' });
  });
  kind.compact();
  kind.scripts.push(
    struck('watch', 1, (response) => response.writeHead(410).end('{"kind":"Status","code":410,"reason":"Expired"}')),
  );
  kind.endStreams();
  const isLogged = (): boolean => handler.lines.length === 4;
  for (let second = 0; second < 30 && !isLogged(); second++) {
    // The clock must not advance during a request.
    await until('it pauses, or has told', () => isLogged() || ledger.health().state === 'backoff');
    await clock.advance(1_000);
  }
  await until('the past is reported', isLogged);
  assert.deepEqual(handler.lines.slice(2).sort(), ['-b1!', 'aold<1']);
  assert.equal(ledger.get({ namespace: 'default', name: 'a' })?.resourceVersion, '41');
});

test('a handler that hangs leaves no trace in the numbers of the ledger that comes after it', async (context) => {
  const { kind, informers, metric } = await scene(context);
  for (const name of ['a', 'b', 'c']) kind.put(name, { v: '1' });
  const hang = Promise.withResolvers<void>();
  const first = new Clerk();
  first.gate = () => hang.promise;
  const old = informers.ledger(configMaps, { fields, handler: first });
  await until('they wait', () => old.pending > 3);
  old.release();
  await until('it has ended', () => old.size === 0);
  assert.equal(old.pending, 0);
  const ledger = informers.ledger(configMaps, { fields, handler: new Clerk() });
  await ledger.synced(inTime());
  hang.resolve();
  assert.equal(await metric('informer_handler_pending_events'), 0);
});

test('a ledger does not cover a namespace that is closed to us', async (context) => {
  const { kind, informers, clock } = await scene(context);
  kind.put('a', { v: '1' }, { namespace: 'open' });
  kind.put('b', { v: '1' }, { namespace: 'closed' });
  let closed = true;
  kind.scripts.push((call, response) => {
    if (!closed || !call.path.includes('/closed/')) return false;
    refuse(response, 403);
    return true;
  });
  const handler = new Clerk();
  const ledger = informers.ledger(configMaps, { namespaces: ['open', 'closed'], fields, handler });
  await ledger.synced(inTime());
  assert.deepEqual([handler.lines, ledger.covers('open'), ledger.covers('closed')], [['a1!'], true, false]);
  assert.equal(ledger.covers(), false, 'who reads all of it must not take what is missing for gone');
  closed = false;
  await clock.advance(60_000);
  await until('it is open', () => ledger.covers('closed'));
  assert.deepEqual([ledger.covers(), ledger.covers('other')], [true, false]);
});

test('a ledger that is released lets go of its watch and of what waits', async (context) => {
  const { kind, informers, metric } = await scene(context);
  for (const name of ['a', 'b', 'c']) kind.put(name, { v: '1' });
  const handler = new Clerk();
  handler.gate = () => new Promise(() => undefined);
  const ledger = informers.ledger(configMaps, { fields, handler });
  await until('they wait', () => ledger.size === 3);
  assert.equal(await metric('informer_objects'), 3);
  ledger.release();
  await until('it is empty', () => ledger.size === 0 && kind.streams.size === 0);
  assert.deepEqual([informers.healths(), await metric('informer_objects')], [[], undefined]);
  await assert.rejects(ledger.synced(), /stopped before its first list/);
  assert.throws(
    () => ledger.get({ namespace: 'default', name: 'a' }),
    /was stopped/,
    'and says of none that it is gone',
  );
  assert.throws(() => ledger.entries(), /was stopped/);
});
