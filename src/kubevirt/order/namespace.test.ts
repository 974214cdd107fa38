import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { bindingProblem, namespaceFacts } from './namespace.ts';

interface Metadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
}

/** The outcome for an order in `orders` with the tenant namespace `tenant`. */
function outcome(metadata: Metadata, namespace = 'orders'): string {
  const facts = namespaceFacts({ metadata: { name: 'tenant', ...metadata } });
  return bindingProblem({ namespace, tenantNamespace: 'tenant' }, facts)?.reason ?? 'may be used';
}

const project = 'cloudkit.openshift.io/project';
const orderNamespaces = 'cloudkit.openshift.io/order-namespaces';

suite('a namespace', () => {
  const cases: readonly (readonly [string, Metadata, string])[] = [
    ['that says nothing is not bound', {}, 'NamespaceNotBound'],
    ['whose label names the namespace of the order is bound', { labels: { [project]: 'orders' } }, 'may be used'],
    ['whose label names another is not bound', { labels: { [project]: 'order' } }, 'NamespaceNotBound'],
    ['whose annotation names it is bound', { annotations: { [orderNamespaces]: 'orders' } }, 'may be used'],
    [
      'whose annotation names it among others is bound',
      { annotations: { [orderNamespaces]: 'a, orders ,b' } },
      'may be used',
    ],
    [
      'whose annotation has it as a part of a name is not bound',
      { annotations: { [orderNamespaces]: 'orders-2,my-orders' } },
      'NamespaceNotBound',
    ],
    ['with the label as an annotation is not bound', { annotations: { [project]: 'orders' } }, 'NamespaceNotBound'],
    ['with the annotation as a label is not bound', { labels: { [orderNamespaces]: 'orders' } }, 'NamespaceNotBound'],
    ['that takes everything by a star takes nothing', { annotations: { [orderNamespaces]: '*' } }, 'NamespaceNotBound'],
    ['with an empty annotation is not bound', { annotations: { [orderNamespaces]: ' , ' } }, 'NamespaceNotBound'],
    [
      'that is being deleted is told so',
      { labels: { [project]: 'orders' }, deletionTimestamp: '2026-01-01T00:00:00Z' },
      'NamespaceTerminating',
    ],
    [
      'of others that is being deleted is still not bound',
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
      'NamespaceNotBound',
    ],
  ];
  for (const [what, metadata, expected] of cases)
    test(what, () => {
      assert.equal(outcome(metadata), expected);
    });

  test('is bound to itself, also while nobody has seen it', () => {
    assert.equal(outcome({}, 'tenant'), 'may be used');
    assert.equal(bindingProblem({ namespace: 'tenant', tenantNamespace: 'tenant' }, undefined), undefined);
    assert.equal(outcome({ deletionTimestamp: '2026-01-01T00:00:00Z' }, 'tenant'), 'NamespaceTerminating');
  });

  test('that is Terminating by its phase is being deleted', () => {
    const facts = namespaceFacts({ metadata: { name: 'tenant' }, status: { phase: 'Terminating' } });
    assert.equal(facts.isTerminating, true);
  });

  test('that does not exist is told so, with what to do', () => {
    const problem = bindingProblem({ namespace: 'orders', tenantNamespace: 'tenant' }, undefined);
    assert.equal(problem?.reason, 'NamespaceNotFound');
    assert.match(problem.message, /"tenant" does not exist.*cloudkit.openshift.io\/project: orders/);
  });

  test('is never bound by anything but its label and annotation, whatever it looks like', () => {
    const place = { namespace: 'orders', tenantNamespace: 'tenant' };
    fc.assert(
      fc.property(fc.anything(), (object) => {
        assert.equal(bindingProblem(place, namespaceFacts(object))?.reason, 'NamespaceNotBound');
      }),
    );
  });
});
