/** What templates can create, and what they cannot. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { attacks, cloned, machine } from './attacks.fixture.ts';
import type { RenderingFault } from './fault.ts';
import { labelFaults, machineFaults, templateFaults, faultMessage, type TemplatePlace } from './rules.ts';

const place: TemplatePlace = {
  namespace: 'vdc-a',
  imageNamespaces: ['images'],
  imageProblem: (_, name) => (name === 'fedora' ? undefined : 'no such image'),
};

type Texts = Readonly<Record<string, string>>;

function faultsOf(objects: readonly object[], defaults: Texts, given: Texts): readonly RenderingFault[] {
  const values = new Map(Object.entries({ NAME: 'web', ...defaults, ...given }));
  return templateFaults(objects, { values, chosen: new Set(Object.keys(given)) }, place);
}

suite('a template cannot', () => {
  for (const { name, objects, defaults = {}, given = {}, parameter, says } of attacks)
    test(name, () => {
      const faults = faultsOf(objects, defaults, given);
      const found = faults.filter((fault) => says.test(faultMessage(fault)));
      assert.ok(found.length > 0, `it is not refused for that: ${JSON.stringify(faults)}`);
      if (parameter !== undefined) assert.ok(found.some((fault) => fault.parameter === parameter));
      else if (Object.keys(given).length === 0) assert.ok(found.every((fault) => fault.parameter === undefined));
    });

  test('give the labels of its objects a key that a parameter chooses', () => {
    const values = { values: new Map([['X', 'ssvirt.io/vm-id']]), chosen: new Set(['X']) };
    assert.deepEqual(
      labelFaults({ '${X}': 'y' }, values).map(({ parameter }) => parameter),
      ['X'],
    );
    assert.deepEqual(labelFaults({ app: '${X}' }, values), []);
  });
});

suite('a template can', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: '${NAME}-init' },
    stringData: { '${KEY}': '${TEXT}' },
  };
  const claimed = (name: string, spec: object = {}): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec,
  });
  const goods: readonly (readonly [string, readonly object[], Texts, Texts])[] = [
    [
      'clone the boot images that are offered, whoever names them',
      [cloned({ sourceRef: { kind: 'DataSource', name: '${D}', namespace: '${N}' } })],
      { N: 'other' },
      { N: 'images', D: 'fedora' },
    ],
    [
      'clone a claim or a snapshot where the images are, if its author has named it',
      [
        cloned({ source: { pvc: { namespace: 'images', name: '${D}' } } }),
        cloned({ source: { snapshot: { namespace: '${N}', name: 'fedora-1' } } }),
      ],
      { D: 'fedora-1', N: 'images' },
      {},
    ],
    [
      'clone a claim of its own, by a name that the caller chooses',
      [claimed('${X}'), cloned({ source: { pvc: { name: '${X}' } } })],
      {},
      { X: 'shop' },
    ],
    [
      'take the data of a claim where the images are, if its author has named it',
      [claimed('c', { dataSourceRef: { kind: 'PersistentVolumeClaim', namespace: 'images', name: '${D}' } })],
      { D: 'fedora-1' },
      {},
    ],
    ['import over HTTP', [cloned({ source: { http: { url: '${U}' } } })], {}, { U: 'https://images.example/a.qcow2' }],
    [
      'import out of a registry',
      [cloned({ source: { registry: { url: '${U}' } } })],
      {},
      { U: 'docker://quay.io/a/b:1' },
    ],
    [
      'mount what it makes itself, by a name that the caller chooses',
      [secret, machine({ volumes: [{ name: 'i', cloudInitNoCloud: { secretRef: { name: '${NAME}-init' } } }] })],
      {},
      { NAME: 'shop', KEY: 'userdata', TEXT: '#cloud-config\nhostDisk: ${NAME}' },
    ],
    [
      'mount what its author has written',
      [machine({ volumes: [{ name: 's', secret: { secretName: 'ca' } }] })],
      {},
      {},
    ],
    [
      'mount what a default names',
      [machine({ volumes: [{ name: 's', secret: { secretName: '${S}' } }] })],
      { S: 'ca' },
      {},
    ],
    [
      'join networks of the virtual data center',
      [
        machine({
          networks: [
            { name: 'n', multus: { networkName: '${X}' } },
            { name: 'p', pod: {} },
          ],
        }),
      ],
      {},
      { X: 'vdc-a/lan' },
    ],
    [
      'take numbers and texts wherever the machine has them',
      [machine({ domain: { cpu: { cores: '${{C}}' }, memory: { guest: '${M}' } }, hostname: '${H}', x: '${{L}}' })],
      {},
      { C: '4', M: '2Gi', H: 'a', L: '["a",1,true]' },
    ],
    [
      'describe a machine for people',
      [
        machine(
          {},
          { template: { metadata: { annotations: { 'vm.kubevirt.io/os': '${X}', note: '${X}' } }, spec: {} } },
        ),
      ],
      {},
      { X: 'fedora' },
    ],
    ['place a machine as its author says', [machine({ nodeSelector: { zone: '${Z}' } })], { Z: 'a' }, {}],
    ['write its own namespace down', [machine({}, {}, { namespace: 'openshift' })], {}, {}],
  ];
  for (const [name, objects, defaults, given] of goods)
    test(name, () => assert.deepEqual(faultsOf(objects, defaults, given), []));
});

suite('a fault', () => {
  test('does not show what may be a secret', () => {
    const [fault] = faultsOf([machine({ priorityClassName: '${PASSWORD}' })], {}, { PASSWORD: 'sesame' });
    assert.deepEqual(fault, {
      where: 'objects[0] (VirtualMachine) spec.template.spec.priorityClassName',
      message: 'is a value that is not shown; only the template may set that',
      parameter: 'PASSWORD',
    });
  });

  test('is not found in what depends on a value that is not known yet', () => {
    const object = cloned({ sourceRef: { kind: 'DataSource', name: 'fedora', namespace: '${N}' } });
    const open = { values: new Map([['NAME', 'web']]), chosen: new Set<string>(), open: new Set(['N']) };
    assert.deepEqual(templateFaults([object], open, place), []);
    assert.equal(machineFaults(object, place).length, 1, 'of what was made, nothing is left open');
  });
});

test('whatever an object is, it is judged and never throws', () => {
  const key = fc.constantFrom(
    'metadata',
    'spec',
    'template',
    'volumes',
    'source',
    'pvc',
    'namespace',
    'name',
    '${X}',
    '__proto__',
  );
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom('${X}', '${{X}}', '${X}${Y}', 'VirtualMachine', 'kubevirt.io/v1', 'v1', '', null, true, -1),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    ),
  })).value;
  fc.assert(
    fc.property(json, fc.oneof(fc.string(), fc.json()), (value, given) => {
      const object = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', spec: value };
      assert.ok(Array.isArray(faultsOf([object, value as object], {}, { X: given, Y: '${X}' })));
    }),
    { numRuns: 300 },
  );
});
