/** Order templates: which objects an order becomes, and what it cannot reach. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fields } from '../../facts/reading.ts';
import { problemOf } from '../parameters/parameter-problem.ts';
import type { OrderIdentity } from '../identity.ts';
import type { OrderTemplateSpec, TemplateParameter } from '../parameters/template.ts';
import { asTemplate, attacks } from './attacks.fixture.ts';
import { renderTemplate } from './render.ts';

const identity: OrderIdentity = {
  name: 'web',
  namespace: 'orders',
  tenantNamespace: 'tenant-a',
  uid: 'uid-1',
  marks: { labels: { 'ssvirt.io/parent-uid': 'uid-1' }, annotations: { 'ssvirt.io/parent': 'orders/web' } },
};

const imageNamespaces = ['images', 'kubevirt-os-images'];

/** Why the template renders nothing; undefined if it renders objects. */
function refusal(template: OrderTemplateSpec, parameters: string | undefined): string | undefined {
  const rendering = renderTemplate(identity, template, parameters, imageNamespaces);
  if ('problem' in rendering) return rendering.problem.message;
  return 'problems' in rendering ? problemOf(rendering.problems).message : undefined;
}

function rendered(template: OrderTemplateSpec, given: object = {}): readonly Record<string, unknown>[] {
  const rendering = renderTemplate(identity, template, JSON.stringify(given), imageNamespaces);
  if ('objects' in rendering) return rendering.objects;
  throw new Error(refusal(template, JSON.stringify(given)));
}

function configMap(data: object, parameters: readonly TemplateParameter[] = []): OrderTemplateSpec {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${ORDER_NAME}-c' }, data };
  return { templateID: 'team.c', parameters, objects: [object] as unknown as OrderTemplateSpec['objects'] };
}

suite('an order cannot', () => {
  for (const attack of attacks)
    test(attack.name, () => {
      const given = attack.given === undefined ? undefined : JSON.stringify(attack.given);
      assert.match(refusal(asTemplate(attack, 'team.attack'), given) ?? 'it was made', attack.says);
    });
});

suite('what is put in', () => {
  const text = (template: string, given: object, parameters: readonly TemplateParameter[]): unknown =>
    fields(rendered(configMap({ text: template }, parameters), given)[0]?.['data'])['text'];

  const cases: readonly [string, string, object, string][] = [
    ['is among other text', 'a ${p} b', { p: 'x' }, 'a x b'],
    ['is there as often as it is named', '${p}${p}', { p: 'x' }, 'xx'],
    ['is the name of the order and its namespace', '${ORDER_NAME}/${TENANT_NAMESPACE}', {}, 'web/tenant-a'],
    ['is nothing where two dollars stand', '$${p} $${HOME}', { p: 'x' }, '${p} ${HOME}'],
    ['is not read again for names', '${p}', { p: '${q}${ORDER_NAME}' }, '${q}${ORDER_NAME}'],
    ['is not read as YAML', 'a: ${p}', { p: 'x\nkind: Role\n---\n' }, 'a: x\nkind: Role\n---\n'],
    ['is empty where no value is given', '[${p}]', {}, '[]'],
    ['leaves other dollars alone', '$p $1 $', {}, '$p $1 $'],
  ];
  for (const [name, template, given, expected] of cases)
    test(name, () => assert.equal(text(template, given, [{ name: 'p' }]), expected));

  test('is a number or a truth value where the field is nothing else, and a text where only texts are allowed', () => {
    const vm = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: '${ORDER_NAME}', labels: { cores: '${cores}' } },
      spec: {
        running: '${on}',
        template: { spec: { domain: { cpu: { cores: '${cores}' }, memory: { guest: '${size}' } } } },
      },
    };
    const template: OrderTemplateSpec = {
      templateID: 'team.vm',
      parameters: [
        { name: 'cores', type: 'integer' as const, default: '2' },
        { name: 'on', type: 'boolean' as const, default: 'true' },
        { name: 'size', type: 'quantity' as const, default: '4Gi' },
      ],
      objects: [vm] as unknown as OrderTemplateSpec['objects'],
    };
    const [made] = rendered(template, { cores: '4', on: false });
    assert.deepEqual(made, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: {
        name: 'web',
        namespace: 'tenant-a',
        labels: { cores: '4', 'cloudkit.openshift.io/virtualmachine': 'web', 'ssvirt.io/parent-uid': 'uid-1' },
        annotations: { 'ssvirt.io/parent': 'orders/web' },
      },
      spec: {
        running: false,
        template: {
          metadata: {
            labels: {
              'kubevirt.io/vm': 'web',
              'cloudkit.openshift.io/virtualmachine': 'web',
              'ssvirt.io/parent-uid': 'uid-1',
            },
            annotations: { 'ssvirt.io/parent': 'orders/web' },
          },
          spec: { domain: { cpu: { cores: 4 }, memory: { guest: '4Gi' } } },
        },
      },
    });
  });
});

suite('parameters of a template', () => {
  const refusals: readonly [string, TemplateParameter, unknown, RegExp][] = [
    [
      'a text for a whole number',
      { name: 'p', type: 'integer', required: true },
      'x',
      /p is "x", but must be a whole number/,
    ],
    ['a fraction', { name: 'p', type: 'integer', required: true }, 1.5, /p is "1\.5", but must be a whole number/],
    ['an exponent', { name: 'p', type: 'integer', required: true }, '1e2', /p is "1e2"/],
    [
      'too little',
      { name: 'p', type: 'integer', required: true, minimum: 1 },
      0,
      /p is "0", but must be .* of at least 1/,
    ],
    ['too much', { name: 'p', type: 'integer', required: true, maximum: 9 }, '10', /of at most 9/],
    ['another truth', { name: 'p', type: 'boolean', required: true }, 'yes', /p is "yes", but must be true or false/],
    [
      'no quantity',
      { name: 'p', type: 'quantity', required: true },
      '4GB',
      /p is "4GB", but must be a Kubernetes quantity/,
    ],
    ['none of the list', { name: 'p', enum: ['a', 'b'] }, 'c', /p is "c", but must be .*one of "a", "b"/],
    ['part of a match', { name: 'p', pattern: '[a-z]+' }, 'abc1', /as a whole match "\[a-z\]\+"/],
    [
      'nothing where it is required',
      { name: 'p', required: true },
      undefined,
      /p is not given, but must be .*given by every order/,
    ],
    ['null', { name: 'p' }, null, /p is null/],
    ['a list', { name: 'p' }, ['x'], /p is a list/],
    ['half a character', { name: 'p' }, '\ud800', /p is/],
  ];
  for (const [name, parameter, value, says] of refusals)
    test(`are refused: ${name}`, () => {
      const template = configMap({ text: '${p}' }, [parameter]);
      assert.match(refusal(template, JSON.stringify({ p: value })) ?? 'it was made', says);
    });

  test('are reported all at once, and never shown where only a guest should read them', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: '${ORDER_NAME}' },
      stringData: { a: '${hush}', b: '${count}' },
    };
    const template: OrderTemplateSpec = {
      templateID: 'team.s',
      parameters: [
        { name: 'hush', pattern: '[a-z]*' },
        { name: 'count', type: 'integer' as const, required: true },
      ],
      objects: [object] as unknown as OrderTemplateSpec['objects'],
    };
    const said = refusal(template, '{"hush":"HUNTER2","count":"many"}') ?? '';
    assert.match(said, /hush is a text of 7 characters \(not shown\).*count is a text of 4 characters/);
    assert.doesNotMatch(said, /HUNTER2|many"/);
  });

  test('that are unknown get a warning', () => {
    const rendering = renderTemplate(identity, configMap({}, [{ name: 'p' }]), '{"q":1}', imageNamespaces);
    assert.ok('warnings' in rendering);
    assert.match(rendering.warnings.join(), /The parameter "q" is not known and does nothing/);
  });

  test('cannot make more of a template than a cluster takes', () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, '${p}']));
    const template = configMap(data, [{ name: 'p' }]);
    assert.match(
      refusal(template, JSON.stringify({ p: 'x'.repeat(500_000) })) ?? '',
      /p is .*so short that all objects/,
    );
    assert.match(refusal(template, JSON.stringify({ p: 'x'.repeat(12_000) })) ?? '', /p is .*so short that the object/);
  });
});

suite('a template is refused', () => {
  const faults: readonly [string, OrderTemplateSpec, RegExp][] = [
    [
      'that names what it does not declare',
      configMap({ a: '${q}' }),
      /data\.a has "\$\{q\}", which is none of the parameters/,
    ],
    ['with a torn name', configMap({ a: 'echo ${HOME:-x}' }), /names no parameter: write/],
    [
      'whose pattern looks back',
      configMap({}, [{ name: 'p', pattern: '(a)\\1' }]),
      /"p" has a pattern that cannot be judged/,
    ],
    ['whose default it does not take', configMap({}, [{ name: 'p', enum: ['a'], default: 'b' }]), /"p" has a default/],
    [
      'without a default for a number',
      configMap({}, [{ name: 'p', type: 'integer' }]),
      /neither required nor has it a default/,
    ],
    ['with a minimum of a text', configMap({}, [{ name: 'p', minimum: 1 }]), /only an integer has a minimum/],
  ];
  for (const [name, template, says] of faults)
    test(name, () => assert.match(refusal(template, undefined) ?? 'it was made', says));

  test('with two objects of one name, also where one is the claim of a DataVolume', () => {
    const metadata = { name: '${ORDER_NAME}-d' };
    const objects = [
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: {} },
      { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume', metadata, spec: {} },
    ] as unknown as OrderTemplateSpec['objects'];
    assert.match(
      refusal({ templateID: 't', objects }, undefined) ?? '',
      /objects\[1\].*also the name of another object/,
    );
  });
});
