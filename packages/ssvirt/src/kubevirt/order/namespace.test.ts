import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { bindingProblem, namespaceFacts, tenantsToBind, type NamespaceFacts } from './namespace.ts';

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
      'that is being deleted is reported as such',
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

  test('is bound to itself, also while there is no observation of it', () => {
    assert.equal(outcome({}, 'tenant'), 'may be used');
    assert.equal(bindingProblem({ namespace: 'tenant', tenantNamespace: 'tenant' }, undefined), undefined);
    assert.equal(outcome({ deletionTimestamp: '2026-01-01T00:00:00Z' }, 'tenant'), 'NamespaceTerminating');
  });

  test('that is Terminating by its phase is being deleted', () => {
    const facts = namespaceFacts({ metadata: { name: 'tenant' }, status: { phase: 'Terminating' } });
    assert.equal(facts.isTerminating, true);
  });

  test('that does not exist gets an error that says what to do', () => {
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

suite('the namespaces to bind for orders', () => {
  const order = (namespace: string, tenantNamespace?: string): Parameters<typeof tenantsToBind>[0][number] => ({
    metadata: { namespace, name: 'web' },
    spec: tenantNamespace === undefined ? {} : { tenantNamespace },
  });
  const known: readonly NamespaceFacts[] = [
    { name: 'orders' },
    { name: 'tenant', project: 'orders' },
    { name: 'shared', orderNamespaces: ['others', 'orders'] },
    { name: 'victim' },
    { name: 'of-others', project: 'others' },
    { name: 'leaving', project: 'orders', isTerminating: true },
    { name: 'kube-system', project: 'orders' },
    { name: 'openshift-config', project: 'orders' },
    { name: 'ssvirt-system', project: 'orders' },
  ];
  const toBind = (...orders: Parameters<typeof tenantsToBind>[0]): readonly string[] =>
    tenantsToBind(orders, (wanted) => known.find(({ name }) => name === wanted), 'ssvirt-system');

  test('are those of the orders themselves, and those that accept them', () => {
    const all = [order('orders'), order('orders', ''), order('orders', 'tenant'), order('orders', 'shared')];
    assert.deepEqual(toBind(...all, order('orders', 'tenant')), ['orders', 'tenant', 'shared']);
  });

  test('are not those that an order merely names', () => {
    const named = ['victim', 'of-others', 'leaving', 'unknown'];
    assert.deepEqual(toBind(...named.map((name) => order('orders', name))), []);
  });

  test('are never those of the cluster and of the operator', () => {
    const named = ['kube-system', 'openshift-config', 'ssvirt-system'];
    assert.deepEqual(toBind(...named.map((name) => order('orders', name)), order('kube-system')), []);
  });
});
