import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasBegunAnother } from './aap-quiet-period.ts';
import type { WebhookRecord } from '../resource.ts';

const time = '2026-01-11T12:00:00Z';

function last(configVersion: string, more: Partial<WebhookRecord> = {}): WebhookRecord {
  return { action: 'create', configVersion, attempts: 1, lastAttemptTime: time, ...more };
}

function taken(version: string, by: string = version): WebhookRecord {
  return last(by, { acceptedTime: time, acceptedConfigVersion: version });
}

suite('AAP has begun another version than v1, which was reported', () => {
  const cases: readonly (readonly [expected: boolean, reason: string, webhook: WebhookRecord | undefined])[] = [
    [false, 'it was never asked', undefined],
    [false, 'it was asked for v1, and took it', taken('v1')],
    [true, 'it took v2', taken('v2')],
    [true, 'it took v2, before there was a field for it', last('v2', { acceptedTime: time })],
    [false, 'v2 was refused', { ...taken('v1', 'v2'), lastError: 'no' }],
    [true, 'v2 was not answered, and may have been taken', last('v2', { unansweredTime: time, lastError: 'no' })],
    [true, 'v2 was taken, and v3 refused', { ...taken('v2', 'v3'), lastError: 'no' }],
    [
      false,
      'v1 was asked for since, and not answered',
      { ...taken('v2', 'v1'), unansweredTime: time, lastError: 'no' },
    ],
    [false, 'it is asked to delete', { ...taken('v2'), action: 'delete' }],
  ];
  for (const [expected, reason, webhook] of cases)
    test(`is ${expected}: ${reason}`, () => {
      assert.equal(hasBegunAnother(webhook, 'v1'), expected);
    });
});
