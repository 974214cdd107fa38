import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTimings, defaultTimings, jitterFactor } from './timings.ts';

test("L1: the times are client-go's", () => {
  assert.deepEqual(defaultTimings, { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 });
  assert.equal(jitterFactor, 1.2);
  checkTimings(defaultTimings);
});

const refused = [
  {
    reason: 'others would take over while we still try',
    times: { leaseDurationMs: 10_000 },
    text: /leaseDurationMs must/,
  },
  { reason: 'a single late try would lose the lease', times: { renewDeadlineMs: 2400 }, text: /1\.2 × retryPeriodMs/ },
  { reason: 'a Lease can say whole seconds only', times: { leaseDurationMs: 15_500 }, text: /whole seconds/ },
  { reason: 'a period of nothing', times: { retryPeriodMs: 0 }, text: /retryPeriodMs must/ },
  { reason: 'no number', times: { renewDeadlineMs: Number.NaN }, text: /renewDeadlineMs must/ },
];

for (const { reason, times, text } of refused) {
  test(`L1: refuses times that are not safe: ${reason}`, () => {
    assert.throws(() => checkTimings({ ...defaultTimings, ...times }), text);
  });
}
