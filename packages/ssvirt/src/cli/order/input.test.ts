/** Files with orders, as people and programs write them. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { samples } from '../../../../../test/cloudkit/definitions.ts';
import { InputError, readInput } from './input.ts';
import { judge } from './check-order.ts';
import { renderOrder, withoutSecrets } from './rendered.ts';
import type { ShownOrder } from './shown-order.ts';
import { judgeTemplate } from './validate.ts';
import { nativeTemplates } from '../../kubevirt/order/resource.ts';

const head = 'apiVersion: cloudkit.openshift.io/v1alpha1\nkind: VirtualMachine\n';
const one = `${head}metadata: {name: a}\nspec: {templateID: x}\n`;

const settings = {
  storageClass: 'fast',
  nativeTemplates,
  floatingIpTemplates: [],
  imageNamespaces: ['images'],
  networkBinding: 'masquerade',
  controllerMode: true,
  rolloutPercentage: 0,
  quietPeriodMs: 0,
} as const;

test('one order, several, lists and JSON are read, and what else there is is named', () => {
  assert.equal(readInput(one, 'x').orders.length, 1);
  assert.equal(readInput(`---\n${one}---\n# nothing\n---\n${one}`, 'x').orders.length, 2);
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    items: [{ apiVersion: 'cloudkit.openshift.io/v1alpha1', kind: 'VirtualMachine' }],
  };
  assert.equal(readInput(JSON.stringify(list), 'x').orders.length, 1);
  const other = readInput('apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: b}\n', 'x');
  assert.deepEqual([other.orders, other.others], [[], ['VirtualMachine "b" (kubevirt.io/v1)']]);
});

suite('what is no such file is refused in a sentence:', () => {
  const texts: Readonly<Record<string, string>> = {
    'half of a map': '{"a": ',
    'a tab': 'a:\n\t- b: [',
    'ten thousand lists in a row': '['.repeat(10_000),
    'ten thousand lists, block by block': `${'- '.repeat(10_000)}a`,
    'a bomb of aliases': `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
      .split('')
      .map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`)
      .join('\n')}\n`,
    'more than a file may have': ' '.repeat(17 * 2 ** 20),
  };
  for (const [name, content] of Object.entries(texts))
    test(name, () =>
      assert.throws(
        () => readInput(content, 'orders.yaml'),
        (error) => error instanceof InputError && error.message.startsWith('orders.yaml '),
      ),
    );
});

test('a template in the file renders the orders beside it', () => {
  const { objects = [] } = samples().find(({ file }) => file === 'order-custom-template.yaml') ?? {};
  const { orders, templates } = readInput(JSON.stringify(objects), 'x');
  assert.deepEqual(
    templates.map((one) => judgeTemplate(one, settings).problems),
    [[]],
  );
  const rendered = renderOrder(orders[0] as ShownOrder, { settings, templates });
  assert.ok('objects' in rendered, JSON.stringify(rendered));
  assert.deepEqual(
    rendered.objects.map(({ kind }) => kind),
    templates[0]?.spec.objects.map(({ kind }) => kind),
  );
  const [native = ''] = nativeTemplates;
  const taken = templates.map((one) => judgeTemplate({ ...one, spec: { ...one.spec, templateID: native } }, settings));
  assert.deepEqual([taken[0]?.ok, taken[0]?.problems[0]?.field], [false, 'spec.templateID']);
  assert.throws(
    () =>
      readInput(
        'apiVersion: cloudkit.openshift.io/v1alpha1\nkind: OrderTemplate\nmetadata: {name: x}\nspec: {objects: [1]}',
        'x',
      ),
    InputError,
  );
});

test('a template that clones a disk from elsewhere is refused with its order, unless the namespace is one of images', () => {
  const written = `apiVersion: cloudkit.openshift.io/v1alpha1
kind: OrderTemplate
metadata: {name: golden}
spec:
  templateID: team.golden
  objects:
    - apiVersion: cdi.kubevirt.io/v1beta1
      kind: DataVolume
      metadata: {name: '\${ORDER_NAME}-root'}
      spec: {source: {pvc: {namespace: tenant-b, name: root}}, storage: {}}
---
${head}metadata: {name: a, namespace: orders}
spec: {templateID: team.golden}
`;
  const { orders, templates } = readInput(written, 'x');
  const told = (imageNamespaces: readonly string[]): readonly (readonly string[])[] =>
    [
      ...templates.map((one) => judgeTemplate(one, { ...settings, imageNamespaces })),
      ...orders.map((one) => judge(one as ShownOrder, { settings: { ...settings, imageNamespaces }, templates })),
    ].map(({ problems }) => problems.map(({ message }) => message));
  const [ofTemplate, ofOrder] = told(['images']);
  const says =
    /objects\[0\] \(DataVolume\) spec\.source\.pvc\.namespace is "tenant-b"; disks are cloned from boot images, which are in images \(cloudkit\.imageNamespaces\)/;
  assert.match(ofTemplate?.join(' ') ?? '', says);
  assert.match(ofOrder?.join(' ') ?? '', says);
  assert.deepEqual(told(['images', 'tenant-b']), [[], []]);
});

test('what is rendered of a sample says nothing of its user data and keys unless that is asked for', () => {
  const [sample] = samples().find(({ file }) => file === 'order-all-parameters.yaml')?.objects ?? [];
  const rendered = renderOrder(sample as unknown as ShownOrder, { settings, templates: [] });
  assert.ok('objects' in rendered);
  assert.deepEqual(
    rendered.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    [
      'Secret shop-cloud-init',
      'Secret shop-ssh-public-key',
      'DataVolume shop-root-disk',
      'VirtualMachine shop',
      'Service shop-load-balancer',
    ],
  );
  const [cloudInit = assert.fail()] = rendered.objects.map(withoutSecrets);
  assert.deepEqual(cloudInit['data'], { userData: '(32 bytes, shown with --show-secrets)' });
  assert.doesNotMatch(JSON.stringify(rendered.objects.map(withoutSecrets)), /I2Nsb3Vk|AAAAC3Nz/);
});
