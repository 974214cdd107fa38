import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConditionInput,
  type MatchCondition,
  evaluateMatchConditions,
  validateMatchConditions,
} from './conditions.ts';

const input: ConditionInput = {
  object: { kind: 'Pod', metadata: { name: 'a', labels: { app: 'x' } }, spec: { replicas: 3 } },
  oldObject: undefined,
  request: {
    operation: 'CREATE',
    namespace: 'default',
    name: 'a',
    userInfo: { username: 'system:node:n', groups: ['system:nodes'] },
    resource: { group: '', version: 'v1', resource: 'pods' },
  },
};

const condition = (expression: string): MatchCondition => ({ name: 'c', expression });

const MATCHING: readonly (readonly [expression: string, matches: boolean])[] = [
  ["object.metadata.labels.app == 'x'", true],
  ['object.spec.replicas > 3', false],
  ["!('system:nodes' in request.userInfo.groups)", false],
  ["request.operation == 'CREATE' && request.namespace != 'kube-system'", true],
  ['oldObject == null', true],
  ['has(object.metadata.annotations)', false],
  ["request.resource.resource == 'pods' && request.resource.group == ''", true],
  ["object.metadata.name.startsWith('a')", true],
];

for (const [expression, matches] of MATCHING) {
  test(`the condition ${expression} ${matches ? 'lets the request through' : 'skips the webhook'}`, () => {
    assert.deepEqual(evaluateMatchConditions([condition(expression)], input, 'Fail'), { matches });
  });
}

test('an error counts only if no condition is false, and then the failure policy decides', () => {
  const broken = condition('object.spec.missing == 1');
  const no = condition('false');
  assert.deepEqual(evaluateMatchConditions([broken, no], input, 'Fail'), { matches: false });
  assert.deepEqual(evaluateMatchConditions([broken], input, 'Ignore'), { matches: false });
  assert.deepEqual(evaluateMatchConditions([broken], input, 'Fail'), {
    error: "expression 'object.spec.missing == 1' resulted in error: no such key: missing",
  });
});

test('conditions are checked when the webhook is configured', () => {
  const errors = validateMatchConditions(
    [condition('request.foo == 1'), condition('1'), { name: '', expression: ' ' }],
    'webhooks[0].matchConditions',
  );
  assert.deepEqual(
    errors.map(({ field, detail }) => `${field}: ${detail}`),
    [
      'webhooks[0].matchConditions[0].expression: Invalid value: "request.foo == 1": compilation failed: ' +
        "ERROR: <input>:1:8: undefined field 'foo'\n | request.foo == 1\n | .......^",
      'webhooks[0].matchConditions[1].expression: Invalid value: "1": must evaluate to bool but got int',
      'webhooks[0].matchConditions[1].name: Duplicate value: "c"',
      'webhooks[0].matchConditions[2].expression: Required value',
      'webhooks[0].matchConditions[2].name: Required value',
    ],
  );
});
