/**
 * Orders before they are created: what the API server and the operator would reject is rejected here, with the same
 * words.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { definitionOf } from '../../../../../test/cloudkit/definitions.ts';
import { badOrders, foreignNamespaces } from '../../kubevirt/order/bad-orders.fixture.ts';
import { annotations, floatingIpTemplates, nativeTemplates, type OrderSpec } from '../../kubevirt/order/resource.ts';
import { judge, type Judged } from './check-order.ts';
import type { ShownOrder } from './shown-order.ts';
import type { OrderSettings } from './settings.ts';
import { renderOrder } from './rendered.ts';
import { shapeProblems, shapeWarnings, specRules } from './shape.ts';
import type { OrderContext } from './context.ts';
import { judgedShape } from './validate.ts';

const [templateID = ''] = nativeTemplates;
const settings: OrderSettings = {
  storageClass: undefined,
  nativeTemplates,
  floatingIpTemplates,
  imageNamespaces: ['images'],
  networkBinding: 'masquerade',
  controllerMode: true,
  rolloutPercentage: 0,
  quietPeriodMs: 0,
};

const around: OrderContext = {
  ownNamespace: { name: 'orders' },
  tenant: { name: 'tenant-a', project: 'orders' },
  classes: [{ name: 'fast', isDefault: true }],
  templates: [],
  standing: {},
  hasKubeVirt: true,
  hasDataImporter: true,
  unread: [],
};

function order(spec: Partial<OrderSpec> = {}, metadata: ShownOrder['metadata'] = {}): ShownOrder {
  return {
    metadata: { name: 'web', namespace: 'orders', annotations: { [annotations.managedBy]: 'controller' }, ...metadata },
    spec: { templateID, tenantNamespace: 'tenant-a', ...spec },
  };
}

function inCluster(one: ShownOrder, context: Partial<OrderContext> = {}, told: Partial<OrderSettings> = {}): Judged {
  return judge(one, {
    settings: { ...settings, ...told },
    templates: [],
    context: { ...around, ...context },
  });
}

const reasons = ({ problems }: Judged): readonly string[] => problems.map(({ reason }) => reason);

suite('an order is refused here as it would be there: one with', () => {
  for (const { name: what, order: bad, by, reason, says } of badOrders)
    test(what, () => {
      const metadata = { name: bad.name ?? 'good', namespace: 'orders', annotations: bad.annotations };
      const shape = shapeProblems({ metadata, spec: bad.spec });
      assert.equal(shape.length > 0, by === 'api', JSON.stringify(shape));
      if (by === 'api') return;
      const spec = bad.spec as unknown as OrderSpec;
      const isThere = foreignNamespaces.includes(spec.tenantNamespace ?? '');
      const tenant =
        spec.tenantNamespace === undefined ? around.ownNamespace : isThere ? { name: spec.tenantNamespace } : undefined;
      const one = { metadata, spec } as ShownOrder;
      const judged = inCluster(one, { tenant });
      assert.deepEqual([...new Set(reasons(judged))], [reason]);
      assert.match(
        judged.problems.map(({ message }) => message).join(' '),
        new RegExp(says.source.replace('spec\\.templateParameters: ', ''), says.flags),
      );
      for (const { field, value, message } of judged.problems)
        assert.ok(field !== '' && value !== '' && message.endsWith('.'), message);
    });
});

test('the fields of an order and their limits are those of the definition', () => {
  const [version] = definitionOf('virtualmachines').spec.versions;
  const { properties = {}, required } = (version?.schema.openAPIV3Schema.properties?.['spec'] ?? {}) as {
    properties?: Record<string, { pattern?: string; maxLength?: number }>;
    required?: readonly string[];
  };
  assert.deepEqual(
    Object.entries(specRules).map(([name, { pattern, longest, required: must }]) => [
      name,
      pattern?.source,
      longest,
      must === true,
    ]),
    Object.entries(properties).map(([name, field]) => [
      name,
      field.pattern,
      field.maxLength,
      required?.includes(name) === true,
    ]),
  );
});

test('an unknown field gets a warning, and so does what may not be read', () => {
  assert.match(shapeWarnings({ spec: { templateID, cpu_cores: 4 } }).join(), /spec\.cpu_cores is unknown/);
  const judged = inCluster(order(), { unread: ['namespaces'], tenant: undefined, ownNamespace: undefined });
  assert.deepEqual([judged.ok, judged.storageClass], [true, 'fast']);
  assert.match(judged.warnings.join(), /no permission to read namespaces/);
});

const own = { labels: { 'ssvirt.io/parent-uid': 'u1' } };
const existing = order({}, { uid: 'u1' });

const cases: readonly {
  readonly name: string;
  readonly judged: Judged;
  readonly expected: readonly string[];
}[] = [
  { name: 'all that it needs', judged: inCluster(order()), expected: [] },
  {
    name: 'no default class',
    judged: inCluster(order(), { classes: [{ name: 'slow' }] }),
    expected: ['NoDefaultStorageClass'],
  },
  {
    name: 'a class that is named and does not exist',
    judged: inCluster(order(), {}, { storageClass: 'gone' }),
    expected: ['StorageClassNotFound'],
  },
  { name: 'no CDI', judged: inCluster(order(), { hasDataImporter: false }), expected: ['DataImporterMissing'] },
  { name: 'no KubeVirt', judged: inCluster(order(), { hasKubeVirt: false }), expected: ['Refused'] },
  { name: 'no namespace of its own', judged: inCluster(order(), { ownNamespace: undefined }), expected: ['Invalid'] },
  {
    name: "another's Secret in the way",
    judged: inCluster(order(), { standing: { cloudInitSecret: { metadata: {} } } }),
    expected: ['NameConflict'],
  },
  {
    name: "another's claim in the way",
    judged: inCluster(order(), { standing: { claim: { metadata: {} } } }),
    expected: ['NameConflict'],
  },
  {
    name: 'its own objects there already',
    judged: inCluster(order(), { existing, standing: { cloudInitSecret: { metadata: own }, vm: { metadata: own } } }),
    expected: [],
  },
  {
    name: 'another namespace than the one that is there',
    judged: inCluster(order({ tenantNamespace: 'tenant-b' }), {
      existing,
      tenant: { name: 'tenant-b', project: 'orders' },
    }),
    expected: ['Invalid'],
  },
  {
    name: 'a disk that shall shrink',
    judged: inCluster(order({ templateParameters: '{"disk_size":"5Gi"}' }), {
      existing,
      standing: {
        dataVolume: { metadata: own, spec: { pvc: { resources: { requests: { storage: '10Gi' } } } } },
        claim: { metadata: own, spec: { resources: { requests: { storage: '10Gi' } } } },
      },
    }),
    expected: ['ImmutableFieldChanged'],
  },
  {
    name: 'AAP to make it, whatever its class',
    judged: inCluster(order({}, { annotations: { [annotations.managedBy]: 'aap' } }), { classes: [] }),
    expected: [],
  },
];

suite('an order that a cluster was asked about: one with', () => {
  for (const { name, judged, expected } of cases)
    test(name, () =>
      assert.deepEqual(
        [reasons(judged), judged.ok],
        [expected, expected.length === 0],
        JSON.stringify(judged.problems),
      ),
    );
});

test('its provisioner is shown only where that is certain', () => {
  const by = (one: ShownOrder, told: Partial<OrderSettings>): unknown =>
    judge(one, { settings: { ...settings, ...told }, templates: [] }).provisionedBy;
  const open = order({}, { annotations: {} });
  assert.deepEqual(
    [
      by(open, {}),
      by(open, { rolloutPercentage: 50 }),
      by(open, { rolloutPercentage: 100 }),
      by(order(), { controllerMode: false }),
    ],
    ['aap', undefined, 'controller', 'aap'],
  );
});

test('any content of a file gets a verdict, and never ends in an error', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const some = (...names: readonly string[]): fc.Arbitrary<object> =>
    fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  const near = fc.record({
    metadata: fc
      .tuple(some('annotations', 'finalizers', 'uid', 'labels'), fc.constant({ name: 'web', namespace: 'orders' }))
      .map(([a, b]) => ({ ...a, ...b })),
    spec: fc
      .tuple(some('tenantNamespace', 'templateParameters'), fc.constantFrom(templateID, 'x'))
      .map(([a, id]) => ({ ...a, templateID: id })),
    status: fc.oneof(value, some('phase', 'webhook', 'provisionedBy', 'conditions', 'fallbackConfigVersion')),
  });
  fc.assert(
    fc.property(fc.oneof(value, near), fc.boolean(), (one, withCluster) => {
      const whole =
        judgedShape(one) ??
        judge(one as unknown as ShownOrder, {
          settings,
          templates: [],
          ...(withCluster ? { context: around } : {}),
        });
      assert.equal(whole.ok, whole.problems.length === 0);
      if (judgedShape(one) === undefined)
        renderOrder(one as unknown as ShownOrder, { settings, templates: [], context: around });
    }),
    { numRuns: 500 },
  );
});
