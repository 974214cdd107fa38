/**
 * Whatever an order contains, and wherever a template fills in values: nothing throws, and the objects are the order's
 * own.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OrderIdentity } from '../identity.ts';
import { problemOf } from '../parameters/parameter-problem.ts';
import type { OrderTemplateSpec, TemplateParameter } from '../parameters/template.ts';
import { renderTemplate } from './render.ts';

const identity: OrderIdentity = {
  name: 'web',
  namespace: 'orders',
  tenantNamespace: 'tenant-a',
  uid: 'uid-1',
  marks: { labels: { 'ssvirt.io/parent-uid': 'uid-1' }, annotations: { 'ssvirt.io/parent': 'orders/web' } },
};

const listed = new Map([
  ['Secret', 'v1'],
  ['ConfigMap', 'v1'],
  ['Service', 'v1'],
  ['PersistentVolumeClaim', 'v1'],
  ['DataVolume', 'cdi.kubevirt.io/v1beta1'],
  ['VirtualMachine', 'kubevirt.io/v1'],
]);

/** The rules again, in other words than those of the code. */
function assertOwn(template: OrderTemplateSpec, parameters: string | undefined): boolean {
  const rendering = renderTemplate(identity, template, parameters, ['images']);
  if (!('objects' in rendering)) {
    const { message } = 'problem' in rendering ? rendering.problem : problemOf(rendering.problems);
    assert.ok(message.isWellFormed() && message.length < 32_000);
    return false;
  }
  for (const { apiVersion, kind, metadata, ...rest } of rendering.objects) {
    assert.equal(listed.get(kind), apiVersion);
    assert.equal(metadata.namespace, 'tenant-a');
    assert.match(metadata.name, /^web(-[a-z0-9-]*[a-z0-9])?$/);
    assert.equal(metadata.labels['ssvirt.io/parent-uid'], 'uid-1');
    assert.deepEqual(Object.keys(metadata).toSorted(), ['annotations', 'labels', 'name', 'namespace']);
    assertReferences(rest, rendering.objects);
  }
  return true;
}

/** Asserts that the objects refer only to objects that the template creates, or that its author has named. */
function assertReferences(value: unknown, made: readonly { readonly metadata: { readonly name: string } }[]): void {
  const names = [...made.map(({ metadata }) => metadata.name), ...literals, 'tenant-a', '${a}'];
  JSON.stringify(value, (key, one: unknown) => {
    if (['secretName', 'claimName'].includes(key)) assert.ok(names.includes(String(one)), String(one));
    if (key === 'namespace') assert.ok(one === 'tenant-a' || one === 'images', String(one));
    return one;
  });
}

const parameters: readonly TemplateParameter[] = [
  { name: 'a' },
  { name: 'b', pattern: '[a-z0-9-]*' },
  { name: 'c', enum: ['literal', 'other'], default: 'literal' },
  { name: 'n', type: 'integer', default: '1' },
  { name: 'q', type: 'quantity', default: '1Gi' },
  { name: 'f', type: 'boolean', default: 'true' },
];

/** Texts of a template without parameters: there the author may use any name. */
const literals = ['literal', 'other', 'kube-system', ''];
const puts = ['${a}', '${b}', '${c}', '${n}', '${q}', '${f}', '${x}', '${ORDER_NAME}', '${TENANT_NAMESPACE}', '$${a}'];
const parts = ['${ORDER_NAME}-${a}', '${ORDER_NAME}-${b}', 'docker://quay.io/${a}'];
const references = fc.constantFrom(...literals, ...puts, ...parts);
const texts = fc.oneof(references, fc.string({ maxLength: 6 }));
const names = fc.constantFrom('${ORDER_NAME}', '${ORDER_NAME}-${b}', '${ORDER_NAME}-x', '${ORDER_NAME}-${a}');
const metadata = fc.oneof(
  { weight: 6, arbitrary: fc.record({ name: names }) },
  fc.record(
    { name: texts, namespace: texts, labels: fc.dictionary(fc.constantFrom('app', 'ssvirt.io/parent-uid'), texts) },
    { requiredKeys: ['name'] },
  ),
);
const volume = fc.oneof(
  references.map((secretName) => ({ name: 'v', secret: { secretName } })),
  references.map((claimName) => ({ name: 'v', persistentVolumeClaim: { claimName } })),
  references.map((name) => ({ name: 'v', dataVolume: { name } })),
);
const object = fc.oneof(
  fc.record({
    apiVersion: fc.constant('v1'),
    kind: fc.constant('ConfigMap'),
    metadata,
    data: fc.dictionary(fc.oneof(fc.constant('k'), texts), texts, { maxKeys: 2 }),
  }),
  fc.record({
    apiVersion: fc.constant('v1'),
    kind: fc.constant('Secret'),
    metadata,
    stringData: fc.record({ k: texts }),
  }),
  fc.record({
    apiVersion: fc.constant('kubevirt.io/v1'),
    kind: fc.constant('VirtualMachine'),
    metadata,
    spec: volume.map((one) => ({ template: { spec: { volumes: [one] } } })),
  }),
  fc.record({
    apiVersion: fc.constant('cdi.kubevirt.io/v1beta1'),
    kind: fc.constant('DataVolume'),
    metadata,
    spec: fc
      .record({ namespace: fc.constantFrom('images', 'kube-system', '${TENANT_NAMESPACE}', '${c}') })
      .map((from) => ({
        source: { pvc: { ...from, name: 'root' } },
      })),
  }),
  fc.record({ apiVersion: fc.oneof(fc.constant('v1'), texts), kind: fc.oneof(fc.constant('Pod'), texts), metadata }),
);
const given = fc.oneof(fc.string({ maxLength: 30 }), fc.json({ maxDepth: 2 }), {
  weight: 6,
  arbitrary: fc
    .record(
      {
        a: fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('kube-system', '../x', '${c}', 'x')),
        b: fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom('x', 'x-y', 'victim-root-disk') },
          fc.string({ maxLength: 5 }),
        ),
        c: fc.constantFrom('literal', 'other', 'other', 'none'),
        n: fc.oneof({ weight: 4, arbitrary: fc.integer() }, fc.string({ maxLength: 3 })),
      },
      { requiredKeys: [] },
    )
    .map((values) => JSON.stringify(values)),
});

test('any text for parameters, and any template, comes to objects of the order alone or to words', () => {
  let made = 0;
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 2 }), given, (objects, text) => {
      const template = { templateID: 'team.any', parameters, objects } as unknown as OrderTemplateSpec;
      if (assertOwn(template, text)) made += 1;
    }),
    { numRuns: 2000 },
  );
  assert.ok(made > 30, `only ${made} were made: the property says little`);
});
