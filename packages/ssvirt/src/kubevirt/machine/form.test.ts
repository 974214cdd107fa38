import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { machineCases } from './cases.fixture.ts';
import { formedSpec } from './form.ts';
import { resolveSpec } from './resolve.ts';
import type { MachineSpec } from './resource.ts';

suite('a spec that came over the wire', () => {
  for (const [name, spec] of machineCases)
    test(`is taken as it is: ${name}`, () => assert.equal(formedSpec(spec), spec));

  const odd: readonly (readonly [spec: unknown, kept: object, malformed: string])[] = [
    ['small', {}, 'spec is "small": it must be an object with fields'],
    [[], {}, 'spec is []: it must be an object with fields'],
    [{ template: 5, running: false }, { running: false }, 'spec.template is 5: it must be a text, in quotes'],
    [{ running: 'no' }, {}, 'spec.running is "no": it must be true or false, without quotes'],
    [
      { resources: { cpu: { cores: '2', sockets: 1 }, memory: { size: 4 } } },
      { resources: { cpu: { sockets: 1 }, memory: {} } },
      'spec.resources.cpu.cores is "2": it must be a number, without quotes',
    ],
    [{ resources: [] }, {}, 'spec.resources is []: it must be an object with fields'],
    [{ disks: { name: 'root' } }, {}, 'spec.disks is {"name":"root"}: it must be a list'],
    [
      { disks: [null, 'root', { size: '1Gi' }, { name: 'a', size: '1Gi' }] },
      { disks: [{ name: 'a', size: '1Gi' }] },
      'spec.disks[0] is null: it must be an object with fields',
    ],
    [{ disks: [{ size: '1Gi' }] }, { disks: [] }, 'spec.disks[0].name is missing: it is needed'],
    [{ networks: 'lan' }, {}, 'spec.networks is "lan": it must be a list'],
    [
      { networks: [{ name: 'lan', macAddress: 52 }] },
      { networks: [{ name: 'lan' }] },
      'spec.networks[0].macAddress is 52: it must be a text, in quotes',
    ],
    [
      { cloudInit: { userData: '#cloud-config', secretRef: 'words' } },
      { cloudInit: { userData: '#cloud-config' } },
      'spec.cloudInit.secretRef is of type string: it must be an object with fields',
    ],
    [{ bootOrder: [1] }, { bootOrder: [] }, 'spec.bootOrder[0] is 1: it must be a text, in quotes'],
  ];
  for (const [spec, kept, malformed] of odd)
    test(`is reported: ${malformed}`, () => {
      const formed = formedSpec(spec);
      assert.deepEqual(formed, { ...kept, malformed });
      const resolution = resolveSpec(formed);
      assert.ok('problem' in resolution);
      assert.equal(resolution.problem.reason, 'InvalidSpec');
      assert.ok(resolution.problem.message.startsWith(malformed));
    });

  test('may be missing, or have fields that are unknown or null', () => {
    assert.deepEqual(formedSpec(undefined), {});
    assert.deepEqual(formedSpec(null), {});
    const spec = { template: 'small', disks: null, colour: 'red' } as unknown as MachineSpec;
    assert.equal(formedSpec(spec), spec);
  });
});
