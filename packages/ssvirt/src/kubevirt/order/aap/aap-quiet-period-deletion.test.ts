import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietAfterDeletion, type Deletion } from './aap-quiet-period.ts';
import type { WebhookRecord } from '../resource.ts';

const now = Date.parse('2026-01-11T12:00:00Z');
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const minutes = (ms: number): number => ms / 60_000;
const call = (action: WebhookRecord['action'], more: Partial<WebhookRecord> = {}): WebhookRecord => ({
  action,
  configVersion: 'v2',
  attempts: 1,
  lastAttemptTime: ago(1),
  ...more,
});

const cases: readonly (readonly [what: string, some: Partial<Deletion>, minutesLeft: number])[] = [
  ['AAP was never asked', {}, 0],
  ['AAP has refused', { webhook: call('create', { lastError: '503' }) }, 0],
  ['AAP has taken it, and not reported', { webhook: call('create', { acceptedTime: ago(5) }) }, 10],
  ['AAP may have taken it', { webhook: call('create', { unansweredTime: ago(3), lastError: 'cut' }) }, 12],
  ['AAP has taken it long ago', { webhook: call('create', { acceptedTime: ago(16) }) }, 0],
  ['AAP has reported it', { webhook: call('create', { acceptedTime: ago(5) }), reconciled: 'v2' }, 0],
  ['AAP was asked to delete what it had not reported', { webhook: call('delete'), reconciled: 'v1' }, 13],
  ['AAP was asked to delete what it had reported', { webhook: call('delete'), reconciled: 'v2' }, 0],
  ['AAP was asked to delete long ago', { webhook: call('delete'), since: ago(16) }, 0],
];

for (const [what, some, left] of cases)
  test(`for how long a job may make something of an order that is deleted: ${what}`, () => {
    const quiet = { desired: 'v2', since: ago(2), quietPeriodMs: 15 * 60_000, now, ...some };
    assert.equal(minutes(quietAfterDeletion(quiet)), left);
  });
