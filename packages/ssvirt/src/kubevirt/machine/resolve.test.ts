import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { resolvedOf } from './cases.fixture.ts';
import { isAttached, resolveSpec } from './resolve.ts';
import type { BootDevice, MachineDiskSpec, MachineSpec, MachineProblemReason } from './resource.ts';
import { templates } from './templates.ts';

const GIB = 2 ** 30;
const rootOf = (size: string, bytes: number): object => ({ name: 'root', size, bytes, storageClass: 'default' });

suite('what a Machine asks for', () => {
  const sizes: readonly (readonly [template: string, cores: number, memory: string, disk: string, bytes: number])[] = [
    ['small', 1, '2Gi', '20Gi', 20 * GIB],
    ['medium', 2, '4Gi', '40Gi', 40 * GIB],
    ['large', 4, '8Gi', '80Gi', 80 * GIB],
  ];
  for (const [template, cores, memory, disk, bytes] of sizes)
    test(`is what the template ${template} has`, () => {
      const expected = {
        template,
        running: true,
        cpu: { cores, threads: 1, sockets: 1 },
        memory,
        disks: [rootOf(disk, bytes)],
        networks: [],
        bootOrder: [],
        domain: {},
      };
      assert.deepEqual(resolvedOf({ template }), expected);
      assert.deepEqual(resolvedOf({ instanceType: template }), expected);
    });

  test('takes CPU and memory of its own, and the disk of the template', () => {
    const { cpu, memory, disks } = resolvedOf({
      template: 'medium',
      resources: { cpu: { cores: 4 }, memory: { size: '8Gi' } },
    });
    assert.deepEqual([cpu, memory], [{ cores: 4, threads: 1, sockets: 1 }, '8Gi']);
    assert.deepEqual(disks, [rootOf('40Gi', 40 * GIB)]);
  });

  test('keeps the template where only one field of a part is said', () => {
    const { cpu, memory } = resolvedOf({ template: 'large', resources: { cpu: { threads: 2 }, memory: {} } });
    assert.deepEqual([cpu, memory], [{ cores: 4, threads: 2, sockets: 1 }, '8Gi']);
  });

  test('adds disks behind that of the template', () => {
    const { disks } = resolvedOf({
      template: 'small',
      disks: [{ name: 'data', size: '100Gi', storageClass: 'fast-ssd' }],
    });
    assert.deepEqual(disks, [
      rootOf('20Gi', 20 * GIB),
      { name: 'data', size: '100Gi', bytes: 100 * GIB, storageClass: 'fast-ssd' },
    ]);
  });

  test('merges a disk of the template field by field, and has the root first wherever it is said', () => {
    const { disks } = resolvedOf({
      template: 'small',
      disks: [
        { name: 'data', size: '1Gi' },
        { name: 'root', storageClass: 'fast-ssd', volumeMode: 'Block' },
      ],
    });
    assert.deepEqual(
      disks.map(({ name, size, storageClass, volumeMode }) => [name, size, storageClass, volumeMode]),
      [
        ['root', '20Gi', 'fast-ssd', 'Block'],
        ['data', '1Gi', undefined, undefined],
      ],
    );
  });

  test('has the root first without a template too', () => {
    const { disks } = resolvedOf({
      resources: { memory: { size: '1Gi' } },
      disks: [
        { name: 'a', size: '1Gi' },
        { name: 'root', size: '2Gi' },
      ],
    });
    assert.deepEqual(
      disks.map(({ name }) => name),
      ['root', 'a'],
    );
  });

  const written: readonly (readonly [size: string, memory: string])[] = [
    ['4Gi', '4Gi'],
    ['4096Mi', '4096Mi'],
    ['2G', '2G'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['2.0Gi', '2Gi'],
    ['1e9', '1000000000'],
    ['1.5G', '1500000000'],
    ['4294967296', '4294967296'],
  ];
  for (const [size, memory] of written)
    test(`takes a size of ${size}`, () =>
      assert.equal(resolvedOf({ template: 'small', resources: { memory: { size } } }).memory, memory));

  const orders: readonly (readonly [asked: readonly BootDevice[], order: readonly string[]])[] = [
    [
      ['disk', 'network', 'cdrom'],
      ['disk', 'network'],
    ],
    [
      ['cdrom', 'network', 'disk'],
      ['network', 'disk'],
    ],
    [[], []],
  ];
  for (const [asked, order] of orders)
    test(`boots from [${asked.join(', ')}] as far as they exist`, () =>
      assert.deepEqual(resolvedOf({ template: 'small', bootOrder: asked }).bootOrder, order));
});

suite('a Machine that cannot be made', () => {
  const disk = (more: Partial<MachineDiskSpec>): MachineSpec => ({
    template: 'small',
    disks: [{ name: 'data', size: '1Gi', ...more }],
  });
  const cases: readonly (readonly [
    why: string,
    spec: MachineSpec,
    says: readonly RegExp[],
    reason?: MachineProblemReason,
  ])[] = [
    ['an unknown instance type', { instanceType: 'huge' }, [/^spec\.instanceType "huge"/], 'TemplateNotFound'],
    ['an unknown template', { template: 'huge' }, [/"huge"/, /small, medium, or large/], 'TemplateNotFound'],
    ['two templates', { template: 'small', instanceType: 'large' }, [/"small"/, /"large"/, /remove one of them/]],
    ['no memory', {}, [/memory\.size is needed/, /name a template/]],
    ['memory that is no size', { template: 'small', resources: { memory: { size: 'lots' } } }, [/"lots"/, /4Gi/]],
    ['memory of some bytes', { template: 'small', resources: { memory: { size: '100m' } } }, [/at least 1Mi/]],
    ['negative memory', { template: 'small', resources: { memory: { size: '-1Gi' } } }, [/"-1Gi"/]],
    ['no cores', { template: 'small', resources: { cpu: { cores: 0 } } }, [/cpu\.cores is 0/]],
    ['half a socket', { template: 'small', resources: { cpu: { sockets: 0.5 } } }, [/cpu\.sockets is 0.5/]],
    ['too many CPUs', { template: 'small', resources: { cpu: { cores: 512, sockets: 2 } } }, [/1024 CPUs/, /710/]],
    ['a disk without a size', { template: 'small', disks: [{ name: 'data' }] }, [/disks\["data"\]\.size is needed/]],
    ['a disk of no size', disk({ size: '10 GB' }), [/"10 GB"/, /1\.5Gi/]],
    ['a disk of a bad name', disk({ name: 'Data_1' }), [/Data_1/, /lowercase letters/]],
    ['a disk of our own name', disk({ name: 'cloudinitdisk' }), [/cloudinitdisk/, /Use another/]],
    ['a source of no kind', disk({ source: {} }), [/exactly one of containerDisk/, /it is none/]],
    ['a source of two kinds', disk({ source: { http: { url: 'x' }, pvc: { name: 'y' } } }), [/it is http and pvc/]],
    [
      'two disks of one name',
      {
        template: 'small',
        disks: [
          { name: 'a', size: '1Gi' },
          { name: 'a', size: '2Gi' },
        ],
      },
      [/two entries of the name "a"/],
    ],
    [
      'too many disks',
      { template: 'small', disks: Array.from({ length: 255 }, (_, at) => ({ name: `d${at}`, size: '1Gi' })) },
      [/256 disks/, /at most 255/],
    ],
    ['a network of a bad name', { template: 'small', networks: [{ name: 'eth_0' }] }, [/eth_0/]],
    ['two networks of one name', { template: 'small', networks: [{ name: 'a' }, { name: 'a' }] }, [/"a"/, /differ/]],
    [
      'two pod networks',
      { template: 'small', networks: [{ name: 'a' }, { name: 'b' }] },
      [/"a" and "b"/, /Give the others a networkName/],
    ],
    ['a boot device twice', { template: 'small', bootOrder: ['disk', 'disk'] }, [/twice/]],
    ['only a CD-ROM to boot from', { template: 'small', bootOrder: ['cdrom'] }, [/no disk of type cdrom/, /"disk"/]],
    [
      'only a disk that is not there to boot from',
      { resources: { memory: { size: '1Gi' } }, bootOrder: ['disk'] },
      [/it has no disk/, /"network"/],
    ],
    [
      'an old chipset',
      { template: 'small', domain: { machine: { type: 'pc-i440fx' } } },
      [/refuses it unless/, /pc-q35/],
    ],
  ];
  for (const [why, spec, says, reason = 'InvalidSpec'] of cases)
    test(`is refused with a reason and a way out: ${why}`, () => {
      const resolution = resolveSpec(spec);
      assert.ok('problem' in resolution);
      assert.equal(resolution.problem.reason, reason);
      for (const words of says) assert.match(resolution.problem.message, words);
    });
});

suite('whatever a Machine says', () => {
  const anyText = fc.oneof(fc.string(), fc.constantFrom('small', 'large', 'root', 'data', '1Gi', '2.5G', 'default'));
  const optional = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(one, { nil: undefined });
  const said = fc.record(
    {
      template: fc.constantFrom('small', 'medium', 'large', 'odd'),
      running: fc.boolean(),
      resources: fc.record({
        cpu: optional(fc.record({ cores: fc.integer(), threads: optional(fc.integer({ min: 1, max: 4 })) })),
        memory: optional(fc.record({ size: anyText })),
      }),
      disks: fc.array(fc.record({ name: anyText, size: optional(anyText), storageClass: optional(anyText) })),
      networks: fc.array(fc.record({ name: anyText, networkName: optional(anyText) })),
      bootOrder: fc.array(fc.constantFrom('disk', 'network', 'cdrom')),
    },
    { requiredKeys: [] },
  );

  test('gives a whole machine or a problem in words, and never throws', () => {
    fc.assert(
      fc.property(said, (spec) => {
        // As it comes over the wire: undefined fields are absent.
        const resolution = resolveSpec(JSON.parse(JSON.stringify(spec)) as MachineSpec);
        if ('problem' in resolution) return assert.match(resolution.problem.message, /^(spec|the)[ .].+[.]$/s);
        const { cpu, disks, memory } = resolution.resolved;
        assert.ok((cpu?.cores ?? 0) * (cpu?.threads ?? 0) * (cpu?.sockets ?? 0) >= 1);
        assert.match(memory ?? '', /^\d+([KMGTP]i?)?$/);
        assert.equal(new Set(disks.map(({ name }) => name)).size, disks.length);
        for (const one of disks) assert.ok(isAttached(one) || one.bytes >= 2 ** 20);
        return undefined;
      }),
      { numRuns: 500 },
    );
  });

  test('is overridden field by field: what is said counts, and what is not comes from the template', () => {
    const cpu = fc.record(
      {
        cores: fc.integer({ min: 1, max: 8 }),
        threads: fc.integer({ min: 1, max: 2 }),
        sockets: fc.integer({ min: 1, max: 4 }),
      },
      { requiredKeys: [] },
    );
    const memory = fc.record({ size: fc.constantFrom('1Gi', '3G', '512Mi') }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.constantFrom('small', 'medium', 'large'), cpu, memory, (template, ownCpu, ownMemory) => {
        const base = templates.get(template);
        assert.ok(base !== undefined);
        const resolved = resolvedOf({ template, resources: { cpu: ownCpu, memory: ownMemory } });
        assert.deepEqual(resolved.cpu, { ...base.cpu, ...ownCpu });
        assert.equal(resolved.memory, ownMemory.size ?? base.memory);
        assert.equal(resolved.disks[0]?.size, base.disks[0]?.size);
      }),
    );
  });
});
