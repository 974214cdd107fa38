import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { WebhookRecord } from '../resource.ts';
import {
  backoff,
  idempotencyKey,
  nextCall,
  payload,
  recorded,
  type AapTimes,
  type CallResult,
  type WantedCall,
} from './webhook.ts';

const now = Date.parse('2026-01-11T12:00:00Z');
const seconds = 1000;
const times: AapTimes = {
  minimumIntervalMs: 2 * seconds,
  retryInitialMs: 4 * seconds,
  retryLongestMs: 60 * seconds,
  repeatAfterMs: 900 * seconds,
  quietPeriodMs: 900 * seconds,
};

function wanted(configVersion: string, action: WantedCall['action'] = 'create'): WantedCall {
  return { action, configVersion };
}

/** The record after these calls, one after the other, the last of them `ago` seconds ago. */
function after(ago: number, ...calls: readonly (readonly [WantedCall, CallResult])[]): WebhookRecord | undefined {
  return calls.reduce<WebhookRecord | undefined>(
    (before, [call, result]) => recorded(before, call, result, now - ago * seconds),
    undefined,
  );
}

const taken: CallResult = { accepted: true };
const refused: CallResult = { error: 'no' };
const silent: CallResult = { error: 'too late', unanswered: true };

function due(record: WebhookRecord | undefined, call: WantedCall, jitter = 0): number {
  const next = nextCall(record, call, times, now, jitter);
  return 'call' in next ? 0 : next.afterMs / seconds;
}

suite('AAP is called', () => {
  const v1 = wanted('v1');
  const cases: readonly (readonly [
    seconds: number,
    reason: string,
    record: WebhookRecord | undefined,
    call: WantedCall,
  ])[] = [
    [0, 'it was not called yet', undefined, v1],
    [895, 'it has taken the version', after(5, [v1, taken]), v1],
    [0, 'it has taken the version, and nothing came of it', after(900, [v1, taken]), v1],
    [0, 'another version is asked for', after(5, [v1, taken]), wanted('v2')],
    [1, 'another version is asked for within the minimum interval', after(1, [v1, taken]), wanted('v2')],
    [0, 'it is asked to delete that version', after(5, [v1, taken]), wanted('v1', 'delete')],
    [3, 'it has failed once', after(1, [v1, refused]), v1],
    [7, 'it has failed twice', after(1, [v1, refused], [v1, refused]), v1],
    [0, 'the last failure was for another version', after(5, [v1, refused]), wanted('v2')],
    [0, 'the spec went to another version and back', after(5, [v1, taken], [wanted('v2'), taken]), v1],
    [3, 'what it had taken before has failed now', after(1, [v1, taken], [v1, refused]), v1],
  ];
  for (const [expected, reason, record, call] of cases)
    test(`after ${expected} s: ${reason}`, () => {
      assert.equal(due(record, call), expected);
    });

  test('a quarter sooner at most, so that many orders do not come at once', () => {
    assert.equal(due(after(0, [v1, refused]), v1, 1), 3);
  });

  test('never later than the longest time between two failures', () => {
    assert.deepEqual(
      [1, 2, 3, 50].map((failures) => backoff(failures, times) / seconds),
      [4, 8, 16, 60],
    );
  });
});

suite('what is written down of a call', () => {
  const v1 = wanted('v1');

  test('counts the failures in a row, and starts over with another version and after an acceptance', () => {
    const attempts = (...calls: Parameters<typeof after>[1][]): number | undefined => after(0, ...calls)?.attempts;
    assert.equal(attempts([v1, refused], [v1, silent], [v1, refused]), 3);
    assert.equal(attempts([v1, refused], [v1, taken]), 2);
    assert.equal(attempts([v1, taken], [v1, refused]), 1);
    assert.equal(attempts([v1, refused], [wanted('v2'), refused]), 1);
  });

  test('remembers what was taken while another is refused, for whoever has to wait for it', () => {
    const record = after(0, [v1, taken], [wanted('v2'), refused]);
    assert.deepEqual([record?.configVersion, record?.acceptedConfigVersion, record?.lastError], ['v2', 'v1', 'no']);
    assert.notEqual(record?.acceptedTime, undefined);
  });

  test('remembers that a call was not answered until one is, also while others are refused', () => {
    assert.notEqual(after(0, [v1, silent], [v1, refused])?.unansweredTime, undefined);
    assert.equal(after(0, [v1, silent], [v1, taken])?.unansweredTime, undefined);
    assert.equal(after(0, [v1, taken])?.lastError, undefined);
  });

  test('starts over with a deletion', () => {
    const record = after(0, [v1, taken], [wanted('v1', 'delete'), refused]);
    assert.deepEqual([record?.action, record?.acceptedTime], ['delete', undefined]);
  });
});

suite('the call of AAP', () => {
  test('has one key for each thing that is asked of each order', () => {
    assert.equal(idempotencyKey('u', 'create', 'v1'), 'u-create-v1');
    const keys = [
      idempotencyKey('u', 'create', 'v1'),
      idempotencyKey('u', 'create', 'v2'),
      idempotencyKey('u', 'delete', 'v1'),
      idempotencyKey('w', 'create', 'v1'),
      idempotencyKey('u', 'create', 'v1\r\nx: y'),
      idempotencyKey('u', 'create', 'ä'),
    ];
    assert.equal(new Set(keys).size, keys.length);
    for (const one of keys) assert.match(one, /^[\w.:+=-]+$/);
  });

  test('is the whole order, with the version that it is to give back', () => {
    const order = {
      metadata: { name: 'web' },
      spec: { templateID: 't' },
      status: { phase: 'Ready', desiredConfigVersion: 'old' },
    };
    assert.deepEqual(JSON.parse(payload(order, 'v2')), {
      apiVersion: 'cloudkit.openshift.io/v1alpha1',
      kind: 'VirtualMachine',
      ...order,
      status: { phase: 'Ready', desiredConfigVersion: 'v2' },
    });
  });
});
