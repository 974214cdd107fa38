import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../admission/cluster.fixture.ts';
import type { KubeObject } from '../../values/json.ts';
import { Journal } from '../../store/journal.ts';
import { Store } from '../../store/store.ts';
import { EventExpiry } from './event-expiry.ts';

const EVENTS = '/events';

const event = (name: string, created: Date): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { namespace: 'ns', name, uid: name, creationTimestamp: `${created.toISOString().slice(0, 19)}Z` },
});

const unexpected = (error: unknown): never => assert.fail(String(error));

const names = (store: Store): string[] => Array.from(store.table(EVENTS).range(''), ({ name }) => name);

test('an Event goes some time after its last write', async () => {
  const store = new Store({ eventWindow: 10 });
  const expiry = new EventExpiry(store, unexpected, { lifetime: 150, interval: 5 });
  const again = store.put(EVENTS, event('again', new Date()), 0);
  store.put(EVENTS, event('once', new Date()), 0);
  store.put(EVENTS, event('again', new Date()), again?.revision ?? 0);
  const deleted: string[] = [];
  store.listenTo(EVENTS, ({ type, entry }) => {
    if (type !== 'DELETED') return;
    deleted.push(entry.name);
    if (entry.name === 'once') queueMicrotask(() => store.put(EVENTS, event('later', new Date()), 0));
  });
  await until('all to be gone', () => deleted.length === 3);
  expiry.stop();
  assert.deepEqual(deleted, ['once', 'again', 'later']);
  assert.deepEqual(names(store), []);
});

test('Events from before a restart go by what they say of themselves', async () => {
  const store = new Store({ eventWindow: 10 });
  const hours = (n: number): Date => new Date(Date.now() - n * 3_600_000);
  store.put(EVENTS, event('a-young', hours(0)), 0);
  store.put(EVENTS, event('b-old', hours(2)), 0);
  const touched = event('c-touched', hours(2));
  touched.metadata.managedFields = [
    { manager: 'm', operation: 'Update', time: `${hours(0).toISOString().slice(0, 19)}Z` },
  ];
  store.put(EVENTS, touched, 0);
  const expiry = new EventExpiry(store, unexpected, { lifetime: 3_600_000, interval: 5 });
  await until('the old one to be gone', () => store.table(EVENTS).size === 2);
  expiry.stop();
  assert.deepEqual(names(store), ['a-young', 'c-touched']);
});

test('an Event that cannot be removed now is removed later', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ssvirt-events-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const journal = new Journal(folder);
  const store = new Store({ eventWindow: 10, journal });
  store.put(EVENTS, event('old', new Date(0)), 0);
  journal.close();
  const failures: string[] = [];
  const report = (_: unknown, key: string): void => void failures.push(key);
  const expiry = new EventExpiry(store, report, { lifetime: 1000, interval: 5 });
  await until('two failures', () => failures.length >= 2);
  assert.equal(failures[0], 'ns/old');
  journal.open(() => []);
  await until('the old one to be gone', () => store.table(EVENTS).size === 0);
  expiry.stop();
  store.close();
});
