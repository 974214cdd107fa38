import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { behaviourOf } from './behaviours.ts';
import { builtinResources } from './builtin.ts';
import { eventFromEventsV1, eventToEventsV1 } from './event.ts';
import { readBase64 } from './values/go-base64.ts';
import { isLatest } from './pod/pod-defaults.ts';
import { qosClass } from './pod/pod-qos.ts';
import { invalidReview, subjectAccessReview } from './reviews.ts';
import { selectorMatches } from './values/selector.ts';
import { structDiff } from './values/struct-diff.ts';

const object = (parts: JsonObject): KubeObject => ({ apiVersion: 'v1', kind: 'X', metadata: {}, ...parts });

test('every resource that can be written has a behaviour', () => {
  const without = builtinResources.filter(({ group, name }) => Object.keys(behaviourOf(group, name)).length === 0);
  assert.deepEqual(
    without.map(({ name }) => name),
    ['serviceaccounts', 'selfsubjectreviews', 'tokenreviews', 'selfsubjectrulesreviews', 'customresourcedefinitions'],
  );
});

test('a pod is given time to stop only when it runs somewhere', () => {
  const grace = behaviourOf('', 'pods').defaultGracePeriodSeconds;
  const pod = (nodeName: string, seconds: number, phase: string): KubeObject =>
    object({ spec: { nodeName, terminationGracePeriodSeconds: seconds }, status: { phase } });
  assert.equal(grace?.(pod('', 30, 'Pending')), 0);
  assert.equal(grace?.(pod('n', 30, 'Running')), 30);
  assert.equal(grace?.(pod('n', -5, 'Running')), 1);
  assert.equal(grace?.(pod('n', 30, 'Succeeded')), 0);
});

const qos: [JsonObject[], string][] = [
  [[{}], 'BestEffort'],
  [[{ limits: { cpu: '1', memory: '1Gi' } }], 'Guaranteed'],
  [[{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1Gi' } }], 'Guaranteed'],
  [[{ limits: { cpu: '1', memory: '1Gi' } }, {}], 'Burstable'],
  [[{ requests: { cpu: '1' } }], 'Burstable'],
  [[{ requests: { 'ephemeral-storage': '1' } }], 'BestEffort'],
];

test('the quality of service follows from requests and limits', () => {
  for (const [resources, expected] of qos) {
    const containers = resources.map((value) => ({ resources: value }));
    assert.equal(qosClass(object({ spec: { containers } })), expected, JSON.stringify(resources));
  }
});

test('only an image without another tag or digest is the latest', () => {
  const latest = ['nginx', 'nginx:latest', 'reg:5000/a/b', 'localhost/x', 'reg.io/x:latest'];
  const pinned = ['nginx:1', 'reg:5000/a:1', `a@sha256:${'0'.repeat(64)}`, 'None', '', 'a b'];
  for (const image of latest) assert.equal(isLatest(image), true, image);
  for (const image of pinned) assert.equal(isLatest(image), false, image);
});

test('an event keeps everything on the way to the other shape and back', () => {
  const event = object({
    kind: 'Event',
    involvedObject: { kind: 'Pod', name: 'a' },
    message: 'm',
    source: { component: 'c' },
    firstTimestamp: null,
    lastTimestamp: null,
    count: 2,
    reportingComponent: '',
    reportingInstance: '',
  });
  const renamed = eventToEventsV1(event);
  assert.equal(renamed.apiVersion, 'events.k8s.io/v1');
  assert.deepEqual(renamed['regarding'], { kind: 'Pod', name: 'a' });
  assert.equal('reportingController' in renamed, false);
  assert.deepEqual(eventFromEventsV1(renamed), event);
});

test('base64 is refused at the byte that Go names', () => {
  const faults: [string, number][] = [
    ['!!!', 0],
    ['YQ', 0],
    ['YQ=', 3],
    ['YQ==x', 4],
    ['YWE=YQ==', 4],
    ['YWFh!', 4],
    ['=', 0],
  ];
  for (const [text, at] of faults) assert.equal(readBase64(text), at, text);
  assert.equal(readBase64('YR=='), 'YQ==');
  assert.equal(readBase64('Y\nQ=\r\n='), 'YQ==');
});

test('a selector matches by equality and by expressions', () => {
  const labels = { a: 'b' };
  const expression = (operator: string, ...values: string[]): JsonObject => ({
    matchExpressions: [{ key: 'a', operator, values }],
  });
  assert.equal(selectorMatches({ matchLabels: { a: 'b' } }, labels), true);
  assert.equal(selectorMatches({ matchLabels: { constructor: 'b' } }, labels), false);
  assert.equal(selectorMatches(expression('In', 'b'), labels), true);
  assert.equal(selectorMatches(expression('NotIn', 'b'), labels), false);
  assert.equal(selectorMatches(expression('Exists'), labels), true);
  assert.equal(selectorMatches(expression('DoesNotExist'), labels), false);
});

test('a difference shows three lines around each change', () => {
  const old = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 };
  assert.equal(
    structDiff(old, { ...old, e: 9 }),
    '@@ -3,6 +3,6 @@\n  "b": 2,\n  "c": 3,\n  "d": 4,\n- "e": 5,\n+ "e": 9,\n  "f": 6\n }\n',
  );
});

test('a review that is not valid is answered without the name of its kind', () => {
  const problems = subjectAccessReview.validate?.(object({ spec: {} })) ?? [];
  const answer = invalidReview('authorization.k8s.io', problems).toStatus();
  assert.equal(
    answer.message,
    '.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
  );
  assert.equal(answer.details?.kind, undefined);
});
