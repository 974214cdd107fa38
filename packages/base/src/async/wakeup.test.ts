import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aborted } from './aborted.ts';
import { Wakeup } from './wakeup.ts';

test('a ring ends the rest', async () => {
  const wakeup = new Wakeup();
  const rest = wakeup.rest(aborted);
  wakeup.ring();
  await rest;
});

test('a ring before the rest ends it at once, and does not end the one after it', async () => {
  const wakeup = new Wakeup();
  wakeup.ring();
  wakeup.ring();
  const waits: string[] = [];
  const rest = (name: string): Promise<void> =>
    wakeup.rest((rung) => {
      waits.push(`${name} ${rung.aborted ? 'rung' : 'silent'}`);
      return Promise.resolve();
    });
  await rest('first');
  await rest('second');
  assert.deepEqual(waits, ['second silent']);
});

test('a rest that ends by itself does not keep the next one from waiting', async () => {
  const wakeup = new Wakeup();
  await wakeup.rest(() => Promise.resolve());
  const rest = wakeup.rest(aborted);
  wakeup.ring();
  await rest;
});
