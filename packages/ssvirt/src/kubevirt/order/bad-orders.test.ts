/** Orders that must be refused, given to the functions that decide it without a cluster. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { badOrders, foreignNamespaces, type BadOrder } from './bad-orders.fixture.ts';
import { desiredVersion } from './config-version.ts';
import { decideMode, type TemplateClass } from './mode.ts';
import { nameProblem } from './names.ts';
import { bindingProblem, namespaceFacts } from './namespace.ts';
import { problemOf, readParameters } from './parameters/parameters.ts';
import { annotations, floatingIpTemplates, nativeTemplates, type OrderSpec, type OrderProblem } from './resource.ts';

/** The checks in the sequence in which an operator makes them; each order has only one fault. */
function problemsOf({ order }: BadOrder): readonly OrderProblem[] {
  const spec = order.spec as unknown as OrderSpec;
  const read = readParameters(spec.templateParameters);
  const found = [
    modeProblem(spec, order.annotations?.[annotations.managedBy]),
    nameProblem({ name: order.name ?? 'good' }),
    'problems' in read ? problemOf(read.problems) : undefined,
    placeProblem(spec.tenantNamespace ?? 'orders'),
  ];
  return found.filter((problem) => problem !== undefined);
}

function modeProblem(spec: OrderSpec, managedBy: string | undefined): OrderProblem | undefined {
  const decision = decideMode({
    uid: '5b0b9a4e-0000-4000-8000-00000000a001',
    templateID: spec.templateID,
    template: templateClass(spec.templateID),
    managedBy,
    hasAapMarks: false,
    desired: desiredVersion(spec),
    controllerMode: true,
    rolloutPercentage: 0,
    quietPeriodMs: 0,
    now: 0,
  });
  return 'problem' in decision ? decision.problem : undefined;
}

function templateClass(templateID: string): TemplateClass {
  if (nativeTemplates.includes(templateID)) return 'native';
  return floatingIpTemplates.includes(templateID) ? 'floating-ip' : 'unknown';
}

function placeProblem(tenantNamespace: string): OrderProblem | undefined {
  const isThere = foreignNamespaces.includes(tenantNamespace);
  const found = isThere ? namespaceFacts({ metadata: { name: tenantNamespace } }) : undefined;
  return bindingProblem({ namespace: 'orders', tenantNamespace }, found);
}

suite('an order is refused with its field and rule: one with', () => {
  for (const bad of badOrders.filter(({ by }) => by === 'operator'))
    test(bad.name, () => {
      const problems = problemsOf(bad);
      assert.deepEqual(
        problems.map(({ reason }) => reason),
        [bad.reason],
      );
      assert.match(problems[0]?.message ?? '', bad.says);
    });
});

test('the table of bad orders has at least 60 kinds, each with a name of its own', () => {
  assert.ok(badOrders.length >= 60);
  assert.equal(new Set(badOrders.map(({ name }) => name)).size, badOrders.length);
});

test('no refusal shows user data or a key', () => {
  for (const bad of badOrders) {
    const text = typeof bad.order.spec['templateParameters'] === 'string' ? bad.order.spec['templateParameters'] : '';
    const read = readParameters(text);
    assert.doesNotMatch('problems' in read ? JSON.stringify(read) : '', /b3BlbnNzaC1r|LS0tLS1|nginx|secret@|€€/);
  }
});
