/** Objects of a cluster become catalog entries. Malformed objects never throw. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { fromDataSource } from './data-source.ts';
import type { CatalogEntry } from './entry.ts';
import { fromVirtualMachineTemplate } from './machine-template.ts';
import { filled, isSecret, parametersOf } from './parameters.ts';
import { fromTemplate } from './template.ts';

const GIB = 2 ** 30;

function machine(domain: object, more: object = {}, annotations: object = {}): object {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: '${NAME}' },
    spec: { template: { metadata: { annotations }, spec: { domain } }, ...more },
  };
}

function disk(size: string | undefined, name = '${NAME}'): object {
  const storage = size === undefined ? {} : { resources: { requests: { storage: size } } };
  return { metadata: { name }, spec: { sourceRef: {}, storage } };
}

const small = { cpu: { sockets: 2, cores: 1, threads: 1 }, memory: { guest: '2Gi' } };

function template(
  objects: readonly object[],
  more: object = {},
  metadata: object = {},
): Readonly<Record<string, unknown>> {
  return { metadata: { name: 'fedora-server-small', namespace: 'openshift', ...metadata }, objects, ...more };
}

function sizes({ vmCount, cpuCount, memoryBytes, storageBytes }: CatalogEntry): object {
  return { vmCount, cpuCount, memoryBytes, storageBytes };
}

suite('an OpenShift template', () => {
  test('is an entry with the words, the system and the parameters that it has', () => {
    const object = template(
      [machine(small, { dataVolumeTemplates: [disk('30Gi')] })],
      {
        parameters: [
          { name: 'NAME', description: 'Name of the VM', generate: 'expression', from: 'fedora-[a-z0-9]{16}' },
          { name: 'DATA_SOURCE_NAME', displayName: 'Image', value: 'fedora', required: true },
          { name: 'CLOUD_USER_PASSWORD', value: 'opensesame' },
        ],
      },
      {
        creationTimestamp: '2026-01-02T03:04:05Z',
        labels: { 'os.template.kubevirt.io/fedora42': 'true', 'template.kubevirt.io/type': 'base' },
        annotations: {
          'openshift.io/display-name': 'Fedora VM',
          description: 'A machine\nwith Fedora',
          'name.os.template.kubevirt.io/fedora42': 'Fedora 42 or higher',
          tags: 'hidden,kubevirt, linux',
          'template.kubevirt.io/deprecated': 'true',
        },
      },
    );
    assert.deepEqual(fromTemplate(object), {
      kind: 'Template',
      namespace: 'openshift',
      name: 'fedora-server-small',
      displayName: 'Fedora VM',
      description: 'A machine with Fedora',
      createdAt: '2026-01-02T03:04:05.000Z',
      tags: ['hidden', 'kubevirt', 'linux'],
      deprecated: true,
      vmCount: 1,
      cpuCount: 2,
      memoryBytes: 2 * GIB,
      storageBytes: 30 * GIB,
      guestOs: 'Fedora 42 or higher',
      parameters: [
        {
          name: 'NAME',
          displayName: 'NAME',
          description: 'Name of the VM',
          hasDefault: false,
          required: false,
          generatedFrom: 'fedora-[a-z0-9]{16}',
        },
        {
          name: 'DATA_SOURCE_NAME',
          displayName: 'Image',
          description: '',
          default: 'fedora',
          hasDefault: true,
          required: true,
        },
        {
          name: 'CLOUD_USER_PASSWORD',
          displayName: 'CLOUD_USER_PASSWORD',
          description: '',
          hasDefault: true,
          required: false,
        },
      ],
      body: JSON.stringify({ objects: object['objects'] }),
      machines: [
        { name: '${NAME}', storageClasses: [null], cpuCount: 2, memoryBytes: 2 * GIB, storageBytes: 30 * GIB },
      ],
      ready: true,
      message: '',
    });
  });

  const cases: readonly (readonly [string, readonly object[], object, object])[] = [
    [
      'parameters with defaults count as what they are by default',
      [
        machine(
          { cpu: { cores: '${{CORES}}' }, memory: { guest: '${MEMORY}' } },
          { dataVolumeTemplates: [disk('${SIZE}')] },
        ),
      ],
      {
        parameters: [
          { name: 'CORES', value: '4' },
          { name: 'MEMORY', value: '1536Mi' },
          { name: 'SIZE', value: '10G' },
        ],
      },
      { vmCount: 1, cpuCount: 4, memoryBytes: 1.5 * GIB, storageBytes: 10e9 },
    ],
    [
      'what depends on a parameter without a default is not known',
      [
        machine(
          { cpu: { cores: '${{CORES}}' }, memory: { guest: '${MEMORY}' } },
          { dataVolumeTemplates: [disk('${SIZE}')] },
        ),
      ],
      { parameters: [{ name: 'CORES', required: true }] },
      { vmCount: 1, cpuCount: undefined, memoryBytes: undefined, storageBytes: undefined },
    ],
    [
      'a disk that takes the size of what it is copied from is not known, none at all is nothing',
      [machine(small, { dataVolumeTemplates: [disk('30Gi'), disk(undefined, 'data')] })],
      {},
      { vmCount: 1, cpuCount: 2, memoryBytes: 2 * GIB, storageBytes: undefined },
    ],
    [
      'several machines count together, and other objects do not',
      [machine(small), { apiVersion: 'v1', kind: 'Secret' }, machine(small, { dataVolumeTemplates: [disk('1Gi')] })],
      {},
      { vmCount: 2, cpuCount: 4, memoryBytes: 4 * GIB, storageBytes: GIB },
    ],
    [
      'an instance type decides on CPUs and memory',
      [machine({}, { instancetype: { name: 'u1.small' } })],
      {},
      { vmCount: 1, cpuCount: undefined, memoryBytes: undefined, storageBytes: 0 },
    ],
  ];
  for (const [name, objects, more, expected] of cases) {
    test(name, () => {
      const entry = fromTemplate(template(objects, more));
      assert.ok(entry !== undefined);
      assert.deepEqual(sizes(entry), expected);
    });
  }

  test('without a virtual machine of KubeVirt is none of ours', () => {
    const others = [
      { apiVersion: 'v1', kind: 'Service' },
      { apiVersion: 'cloudkit.io/v1', kind: 'VirtualMachine' },
    ];
    assert.equal(fromTemplate(template(others)), undefined);
    assert.equal(fromTemplate({ objects: [machine(small)] }), undefined, 'nor is one without a name');
  });

  test('that cannot be processed says why', () => {
    const entry = fromTemplate(template([machine(small)], { parameters: [{ name: 'X', generate: 'dice' }] }));
    assert.deepEqual(
      [entry?.ready, entry?.message],
      [false, 'its parameter X has the generator dice, which is unknown'],
    );
    const going = fromTemplate(template([machine(small)], {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    assert.deepEqual([going?.ready, going?.message], [false, 'it is being deleted']);
  });

  test('names the system by its label, or by its machine, where it has no other name', () => {
    const labels = { 'os.template.kubevirt.io/debian12': 'true' };
    assert.equal(fromTemplate(template([machine(small)], {}, { labels }))?.guestOs, 'debian12');
    const annotated = machine(small, {}, { 'vm.kubevirt.io/os': 'rhel9' });
    assert.equal(fromTemplate(template([annotated]))?.guestOs, 'rhel9');
  });
});

suite('a VirtualMachineTemplate', () => {
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
  const spec = {
    parameters: [{ name: 'INSTANCETYPE', value: 'u1.small' }],
    virtualMachine: machine({}, { instancetype: { name: '${INSTANCETYPE}' }, preference: { name: '${UNKNOWN}' } }),
  };
  const metadata = { name: 'fedora', namespace: 'demo' };

  test('is an entry with its machine, parameters filled in', () => {
    const entry = fromVirtualMachineTemplate({ metadata, spec, status: ready });
    assert.deepEqual(
      [entry?.kind, entry?.instancetype, entry?.preference, entry?.ready],
      ['VirtualMachineTemplate', 'u1.small', undefined, true],
    );
  });

  const notReady: readonly (readonly [object | undefined, string])[] = [
    [undefined, 'the cluster has not reported yet whether it can be used'],
    [{ conditions: [{ type: 'Ready', status: 'False', reason: 'Bad', message: 'no such thing' }] }, 'no such thing'],
    [{ conditions: [{ type: 'Ready', status: 'False', reason: 'Bad' }] }, 'Bad'],
  ];
  for (const [status, message] of notReady) {
    test(`is not ready: ${message}`, () => {
      const entry = fromVirtualMachineTemplate({ metadata, spec, status });
      assert.deepEqual([entry?.ready, entry?.message], [false, message]);
    });
  }

  test('without a machine is shown, and cannot be used', () => {
    assert.equal(
      fromVirtualMachineTemplate({ metadata, spec: {}, status: ready })?.message,
      'it contains no virtual machine',
    );
  });
});

suite('a DataSource', () => {
  test('suggests an instance type and a preference', () => {
    const labels = {
      'instancetype.kubevirt.io/default-instancetype': 'u1.medium',
      'instancetype.kubevirt.io/default-preference': 'fedora',
      'instancetype.kubevirt.io/default-preference-kind': 'VirtualMachinePreference',
    };
    const entry = fromDataSource({
      metadata: { name: 'fedora', namespace: 'images', labels },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    assert.deepEqual(
      [entry?.instancetype, entry?.preference, entry?.preferenceKind, entry?.ready],
      ['u1.medium', 'fedora', 'VirtualMachinePreference', true],
    );
  });

  test('that is not ready says why', () => {
    const status = { conditions: [{ type: 'Ready', status: 'False', reason: 'NotFound', message: 'PVC not found' }] };
    const entry = fromDataSource({ metadata: { name: 'fedora' }, status });
    assert.deepEqual([entry?.ready, entry?.message], [false, 'PVC not found']);
  });
});

suite('what a cluster may send', () => {
  test('is an entry or nothing, whatever it is', () => {
    const key = fc.constantFrom(
      'metadata',
      'name',
      'objects',
      'parameters',
      'spec',
      'template',
      'domain',
      'status',
      'x',
    );
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('${X}', '${{X}}', 'VirtualMachine', 'kubevirt.io/v1', '', null, true, -1, 1e300),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    })).value;
    fc.assert(
      fc.property(json, (object) => {
        for (const from of [fromTemplate, fromVirtualMachineTemplate, fromDataSource]) {
          const entry = from(object);
          assert.ok(entry === undefined || entry.name !== '');
        }
      }),
      { numRuns: 300 },
    );
  });

  test('may be nested as deep as it likes', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 50_000; i++) deep = [deep];
    assert.ok(fromTemplate(template([machine({ cpu: deep as object })])) !== undefined);
  });
});

suite('secrets', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['CLOUD_USER_PASSWORD', 'x', true],
    ['dbPasswd', 'x', true],
    ['API_KEY', 'x', true],
    ['GIT_TOKEN', 'x', true],
    ['USER_DATA', '#cloud-config\npassword: x', true],
    ['CERT', '-----BEGIN RSA PRIVATE KEY-----', true],
    ['DATA_SOURCE_NAME', 'fedora', false],
    ['KEYBOARD', 'de', false],
  ];
  for (const [name, value, expected] of cases) {
    test(`${name} with ${JSON.stringify(value)} is ${expected ? 'one' : 'none'}`, () => {
      assert.equal(isSecret(name, value), expected);
    });
  }

  test('are nowhere in the parameters that are shown', () => {
    const { shown, defaults } = parametersOf([{ name: 'PASSWORD', value: 'opensesame' }]);
    assert.equal(defaults.get('PASSWORD'), 'opensesame');
    assert.doesNotMatch(JSON.stringify(shown), /opensesame/);
  });

  test('filled in leaves what has no default', () => {
    assert.deepEqual(filled({ a: '${X}-${Y}', b: ['${{X}}'], c: '${{Z}}' }, new Map([['X', '1']])), {
      a: '1-${Y}',
      b: [1],
      c: '${{Z}}',
    });
  });
});
