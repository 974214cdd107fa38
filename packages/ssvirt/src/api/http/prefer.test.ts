import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitSeconds } from './prefer.ts';

test('how long to wait is read from the header Prefer, and ignored where it is no such thing', () => {
  const cases: readonly (readonly [header: string | undefined, seconds: number | undefined])[] = [
    [undefined, undefined],
    ['', undefined],
    ['wait=10', 10],
    ['Wait = 10', 10],
    ['wait="10"', 10],
    ['respond-async, wait=30;x=y', 30],
    ['wait=1, wait=50', 1],
    ['wait=60', 60],
    ['wait=61', undefined],
    ['wait=0', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait=ten', undefined],
    ['wait', undefined],
    ['await=10', undefined],
    ['wait=1000000000', undefined],
  ];
  for (const [prefer, seconds] of cases)
    assert.equal(waitSeconds({ headers: prefer === undefined ? {} : { prefer } }), seconds, String(prefer));
});
