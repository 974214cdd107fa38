import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../admission/cluster.fixture.ts';
import type { KubeObject } from '../json.ts';
import { Store } from '../store/store.ts';
import { EventExpiry } from './event-expiry.ts';

const EVENTS = '/events';

const event = (name: string, created: Date): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { namespace: 'ns', name, uid: name, creationTimestamp: `${created.toISOString().slice(0, 19)}Z` },
});

const names = (store: Store): string[] => Array.from(store.table(EVENTS).range(''), ({ name }) => name);

test('an Event goes some time after its last write', async () => {
  const store = new Store({ eventWindow: 10 });
  const expiry = new EventExpiry(store, { lifetime: 150, interval: 5 });
  const again = store.put(EVENTS, event('again', new Date()), 0);
  store.put(EVENTS, event('once', new Date()), 0);
  store.put(EVENTS, event('again', new Date()), again?.revision ?? 0);
  const deleted: string[] = [];
  store.listenTo(EVENTS, ({ type, entry }) => {
    if (type !== 'DELETED') return;
    deleted.push(entry.name);
    if (entry.name === 'once') store.put(EVENTS, event('later', new Date()), 0);
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
  const expiry = new EventExpiry(store, { lifetime: 3_600_000, interval: 5 });
  await until('the old one to be gone', () => store.table(EVENTS).size === 2);
  expiry.stop();
  assert.deepEqual(names(store), ['a-young', 'c-touched']);
});
