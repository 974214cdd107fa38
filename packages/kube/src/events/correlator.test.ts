import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../fake-clock.ts';
import { Correlator, defaultCorrelation, type CorrelatorOptions, type Correlation } from './correlator.ts';
import { eventOf, type CoreEvent, type Happening, type ObjectReference } from './event.ts';

const vm = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', namespace: 'lab', name: 'db', uid: 'u1' };
const unlimited = { burst: 1_000_000 };

class Teller {
  readonly clock = new FakeClock();
  readonly #correlator: Correlator;
  #nanoseconds = 1n;

  constructor(options: Partial<CorrelatorOptions> = unlimited) {
    this.#correlator = new Correlator({ ...defaultCorrelation, ...options }, this.clock);
  }

  tell(message: string, more: Partial<Happening> = {}, object: Partial<ObjectReference> = {}, host = 'a'): Correlation {
    const what: Happening = { type: 'Normal', reason: 'Started', message, ...more };
    return this.#correlator.correlate(
      eventOf({ ...vm, ...object }, what, {
        source: { component: 'test', host },
        date: this.clock.date(),
        nanoseconds: this.#nanoseconds++,
      }),
    );
  }
}

function sent(correlation: Correlation): CoreEvent {
  assert.notEqual(correlation.action, 'drop');
  return (correlation as Exclude<Correlation, { action: 'drop' }>).event;
}

test('E1: the same event again is counted under its first name and time', async () => {
  const teller = new Teller();
  const first = teller.tell('hello');
  assert.equal(first.action, 'create');
  await teller.clock.advance(90_000);
  const second = teller.tell('hello');
  assert.equal(second.action, 'count');
  const { metadata, count, firstTimestamp, lastTimestamp } = sent(second);
  assert.equal(metadata.name, sent(first).metadata.name);
  assert.equal(count, 2);
  assert.equal(firstTimestamp, sent(first).firstTimestamp);
  assert.equal(Date.parse(lastTimestamp) - Date.parse(firstTimestamp), 90_000);
});

const differences: readonly [string, Partial<Happening>, Partial<ObjectReference>, string?][] = [
  ['the type', { type: 'Warning' }, {}],
  ['the reason', { reason: 'Stopped' }, {}],
  ['the message', { message: 'bye' }, {}],
  ["the object's kind", {}, { kind: 'VirtualMachineInstance' }],
  ["the object's version", {}, { apiVersion: 'kubevirt.io/v2' }],
  ["the object's namespace", {}, { namespace: 'other' }],
  ["the object's name", {}, { name: 'other' }],
  ["the object's uid", {}, { uid: 'u2' }],
  ['the host', {}, {}, 'b'],
];
for (const [what, more, object, host] of differences) {
  test(`E1: an event that differs in ${what} is another one`, () => {
    const teller = new Teller();
    teller.tell('hello');
    assert.equal(teller.tell(more.message ?? 'hello', more, object, host).action, 'create');
  });
}

test('E1: fields that run together into the same text are still told apart', () => {
  const teller = new Teller();
  teller.tell('hello', { reason: 'AB' });
  assert.equal(teller.tell('Bhello', { reason: 'A' }).action, 'create');
});

test('E1: from the tenth message on, similar events are combined into one that is counted', () => {
  const teller = new Teller();
  for (let n = 1; n < 10; n++) assert.equal(sent(teller.tell(`try ${n}`)).message, `try ${n}`);
  const tenth = teller.tell('try 10');
  assert.deepEqual([tenth.action, sent(tenth).message], ['create', '(combined from similar events): try 10']);
  const eleventh = teller.tell('try 11');
  assert.deepEqual([eleventh.action, sent(eleventh).count], ['count', 2]);
  assert.equal(sent(eleventh).message, '(combined from similar events): try 11');
  assert.equal(sent(eleventh).metadata.name, sent(tenth).metadata.name);
});

test('E1: similar events are not combined after ten quiet minutes, nor with those of another reason', async () => {
  const teller = new Teller();
  for (let n = 1; n <= 10; n++) teller.tell(`try ${n}`);
  assert.equal(sent(teller.tell('try 11', { reason: 'Other' })).message, 'try 11');
  await teller.clock.advance(600_001);
  assert.equal(sent(teller.tell('try 12')).message, 'try 12');
});

test('E1: 25 events about an object pass at once, then one in five minutes, and the count is true', async () => {
  const teller = new Teller({});
  for (let n = 1; n <= 25; n++) assert.notEqual(teller.tell('again').action, 'drop', `event ${n}`);
  assert.equal(teller.tell('again').action, 'drop');
  await teller.clock.advance(299_999);
  assert.equal(teller.tell('again').action, 'drop');
  await teller.clock.advance(1);
  assert.equal(sent(teller.tell('again')).count, 28);
  assert.equal(teller.tell('again').action, 'drop');
});

test('E1: a noisy object takes nothing away from another one', () => {
  const teller = new Teller({});
  for (let n = 1; n <= 30; n++) teller.tell('again');
  assert.equal(teller.tell('again', {}, { name: 'quiet', uid: 'u2' }).action, 'create');
});

test('E1: what was not seen for longest is forgotten when 4,096 others were', () => {
  const teller = new Teller();
  teller.tell('hello');
  for (let n = 1; n < 4096; n++) teller.tell('hello', {}, { name: `vm-${n}` });
  assert.equal(teller.tell('hello').action, 'count', 'the last of the 4,096 that are remembered');
  for (let n = 0; n < 4096; n++) teller.tell('hello', {}, { name: `other-${n}` });
  assert.equal(teller.tell('hello').action, 'create');
});
