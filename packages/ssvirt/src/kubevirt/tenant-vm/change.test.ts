import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { cpusOfDomain, memoryOfDomain } from '../facts/hardware.ts';
import { buildMachine } from './build.ts';
import { identity, machineCases, plain } from './cases.fixture.ts';
import { changeOf, type DesiredVm } from './change.ts';
import { domainOf } from './live.ts';
import { merged } from './merge.fixture.ts';

const withDomain = (domain: object, more: object = {}): object => ({
  metadata: { uid: 'u1', resourceVersion: '7' },
  spec: { runStrategy: 'Halted', ...more, template: { spec: { domain } } },
});

suite('a change of the hardware', () => {
  const cases: readonly (readonly [reason: string, domain: object, wish: DesiredVm, expected: object])[] = [
    ['CPUs are sockets', { cpu: { sockets: 1, cores: 1, threads: 1 } }, { cpus: 4 }, { cpu: { sockets: 4 } }],
    ['cores stay where they fit', { cpu: { sockets: 1, cores: 2 } }, { cpus: 6 }, { cpu: { sockets: 3 } }],
    ['threads too', { cpu: { cores: 2, threads: 2 } }, { cpus: 8 }, { cpu: { sockets: 2 } }],
    [
      'and give way where they do not',
      { cpu: { cores: 4 } },
      { cpus: 6 },
      { cpu: { sockets: 6, cores: 1, threads: 1 } },
    ],
    ['a machine that says nothing has one', {}, { cpus: 2 }, { cpu: { sockets: 2 } }],
    [
      'what was a request is a topology then',
      { resources: { requests: { cpu: '2' } } },
      { cpus: 3 },
      { cpu: { sockets: 3 } },
    ],
    [
      'there is room for as many sockets as there are',
      { cpu: { sockets: 1, maxSockets: 2 } },
      { cpus: 3 },
      { cpu: { sockets: 3, maxSockets: 3 } },
    ],
    ['and room that is there stays', { cpu: { sockets: 1, maxSockets: 8 } }, { cpus: 3 }, { cpu: { sockets: 3 } }],
    ['memory is the guest’s', { memory: { guest: '1Gi' } }, { memoryMb: 2048 }, { memory: { guest: '2048Mi' } }],
    [
      'memory that is requested alone is requested',
      { resources: { requests: { memory: '1Gi', cpu: 1 } } },
      { memoryMb: 2048 },
      { resources: { requests: { memory: '2048Mi' } } },
    ],
    [
      'a limit alone is the memory',
      { resources: { limits: { memory: '1Gi' } } },
      { memoryMb: 512 },
      { resources: { limits: { memory: '512Mi' } } },
    ],
    [
      'what said the same still does',
      { memory: { guest: '1Gi' }, resources: { requests: { memory: '1024Mi' }, limits: { memory: '1Gi' } } },
      { memoryMb: 2048 },
      { memory: { guest: '2048Mi' }, resources: { requests: { memory: '2048Mi' }, limits: { memory: '2048Mi' } } },
    ],
    [
      'what said something else is kept, but for a limit that is too low',
      { memory: { guest: '1Gi' }, resources: { requests: { memory: '500Mi' }, limits: { memory: '1500Mi' } } },
      { memoryMb: 2048 },
      { memory: { guest: '2048Mi' }, resources: { limits: { memory: '2048Mi' } } },
    ],
    [
      'a limit that is high enough stays',
      { memory: { guest: '1Gi' }, resources: { limits: { memory: '8Gi' } } },
      { memoryMb: 2048 },
      { memory: { guest: '2048Mi' } },
    ],
    [
      'the most that it may have grows with it',
      { memory: { guest: '1Gi', maxGuest: '2Gi' } },
      { memoryMb: 4096 },
      { memory: { guest: '4096Mi', maxGuest: '4096Mi' } },
    ],
    ['a machine without memory gets some', {}, { memoryMb: 256 }, { memory: { guest: '256Mi' } }],
    [
      'a limit of CPUs that is too low would hold it back',
      { cpu: { sockets: 2 }, resources: { requests: { cpu: '500m' }, limits: { cpu: '2', memory: '1Gi' } } },
      { cpus: 4 },
      { cpu: { sockets: 4 }, resources: { limits: { cpu: '4' } } },
    ],
    [
      'CPUs of its own are asked for as they are limited; memory beside them',
      {
        cpu: { dedicatedCpuPlacement: true },
        resources: { limits: { cpu: 2, memory: '1Gi' }, requests: { cpu: '2' } },
      },
      { cpus: 3, memoryMb: 2048 },
      { cpu: { sockets: 3 }, resources: { requests: { cpu: '3' }, limits: { cpu: '3', memory: '2048Mi' } } },
    ],
    [
      'a limit of CPUs that is high enough stays',
      { cpu: { sockets: 1 }, resources: { limits: { cpu: '8' } } },
      { cpus: 4 },
      { cpu: { sockets: 4 } },
    ],
    [
      'both at once',
      { cpu: { sockets: 1 }, memory: { guest: '1Gi' } },
      { cpus: 2, memoryMb: 2048 },
      { cpu: { sockets: 2 }, memory: { guest: '2048Mi' } },
    ],
  ];
  for (const [reason, domain, desired, expected] of cases)
    test(reason, () => {
      assert.deepEqual(changeOf(withDomain(domain), desired), {
        patch: { metadata: { uid: 'u1', resourceVersion: '7' }, spec: { template: { spec: { domain: expected } } } },
      });
    });

  const equal: readonly (readonly [string, object, DesiredVm])[] = [
    ['the same CPUs in another shape', { cpu: { cores: 4 } }, { cpus: 4 }],
    ['the same memory in other words', { memory: { guest: '2Gi' } }, { memoryMb: 2048 }],
    ['the same memory as a request', { resources: { requests: { memory: '2Gi' } } }, { memoryMb: 2048 }],
    ['one CPU, which is what a machine has that says nothing', {}, { cpus: 1 }],
    ['nothing', {}, {}],
  ];
  for (const [reason, domain, desired] of equal)
    test(`is none: ${reason}`, () => assert.deepEqual(changeOf(withDomain(domain), desired), {}));

  test('leads to what was wished from wherever it begins, and is none then', () => {
    const amount = fc.constantFrom(undefined, '512Mi', '1Gi', '3000M', '64Gi');
    const few = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined });
    const domain = fc.record({
      cpu: fc.record({ sockets: few, cores: few, threads: few, maxSockets: few }),
      memory: fc.record({ guest: amount, maxGuest: amount }),
      resources: fc.record({
        requests: fc.record({ memory: amount, cpu: few }),
        limits: fc.record({ memory: amount, cpu: few }),
      }),
    });
    const desiredStates = fc.record({
      cpus: fc.integer({ min: 1, max: 64 }),
      memoryMb: fc.integer({ min: 1, max: 262_144 }),
    });
    fc.assert(
      fc.property(domain, desiredStates, (before, desired) => {
        const vm = JSON.parse(JSON.stringify(withDomain(before))) as object;
        const after = merged(vm, changeOf(vm, desired).patch ?? {});
        assert.deepEqual(
          [cpusOfDomain(domainOf(after), false), memoryOfDomain(domainOf(after))],
          [desired.cpus, desired.memoryMb],
        );
        assert.deepEqual(changeOf(after, desired), {});
      }),
      { numRuns: 300 },
    );
  });
});

suite('a machine that an instance type sizes', () => {
  const sized = withDomain({}, { instancetype: { name: 'u1.small', revisionName: 'web-u1.small-v1' } });

  for (const desired of [{ cpus: 2 }, { memoryMb: 1024 }, { cpus: 1, memoryMb: 1024, name: 'x' }])
    test(`does not take ${JSON.stringify(desired)}`, () => {
      assert.deepEqual(changeOf(sized, desired), {
        refusal:
          'The machine has its CPUs and memory from the instance type "u1.small": choose another instance type instead of giving CPUs or memory.',
      });
    });

  test('gets another one, and forgets the revision of the old', () => {
    const expected = {
      instancetype: {
        kind: 'VirtualMachineClusterInstancetype',
        name: 'u1.large',
        revisionName: null,
        inferFromVolume: null,
      },
    };
    const { patch } = changeOf(sized, { instancetype: { name: 'u1.large' }, cpus: 2, memoryMb: 8192 });
    assert.deepEqual(patch?.['spec'], expected);
  });

  for (const kind of [undefined, 'VirtualMachineClusterInstancetype', 'virtualmachineclusterinstancetype'])
    test(`has the same one: ${kind ?? 'no kind'}`, () => {
      const vm = withDomain({}, { instancetype: { name: 'u1.small', ...defined({ kind }) } });
      assert.deepEqual(changeOf(vm, { instancetype: { name: 'u1.small' } }), {});
    });

  test('has another one where only the kind differs', () => {
    const { patch } = changeOf(sized, { instancetype: { name: 'u1.small', kind: 'VirtualMachineInstancetype' } });
    assert.ok(patch !== undefined);
  });

  test('has no sizes of its own beside it', () => {
    const vm = withDomain({
      cpu: { sockets: 2, cores: 1, model: 'host-model' },
      memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } },
      resources: { requests: { memory: '1Gi', 'devices.example.com/gpu': '1' } },
    });
    const after = merged(vm, changeOf(vm, { instancetype: { name: 'u1.small' } }).patch);
    assert.deepEqual(domainOf(after), {
      cpu: { model: 'host-model' },
      memory: { hugepages: { pageSize: '2Mi' } },
      resources: { requests: { 'devices.example.com/gpu': '1' } },
    });
  });
});

suite('a change of words and power', () => {
  const { machine } = buildMachine(identity, plain, { cpus: 1, memoryMb: 512, running: false });

  test('is a change of annotations, of those alone that differ', () => {
    const { patch } = changeOf(machine, { name: 'Web 02', description: identity.description, vappName: 'Shop' });
    assert.deepEqual(patch, {
      metadata: { annotations: { 'ssvirt.io/vm-name': 'Web 02', 'ssvirt.io/vapp-name': 'Shop' } },
    });
  });

  test('can empty a description', () => {
    assert.deepEqual(changeOf(machine, { description: '' }).patch?.['metadata'], {
      annotations: { 'ssvirt.io/vm-description': '' },
    });
  });

  for (const [reason, spec, running, expected] of [
    ['starts what is halted', { runStrategy: 'Halted' }, true, { runStrategy: 'RerunOnFailure' }],
    ['halts what runs always', { runStrategy: 'Always' }, false, { runStrategy: 'Halted' }],
    ['leaves a strategy that runs it', { runStrategy: 'Manual' }, true, undefined],
    ['leaves what is halted', { runStrategy: 'Halted' }, false, undefined],
    ['takes running: true out', { running: true }, false, { running: null, runStrategy: 'Halted' }],
    ['takes running: false out', { running: false }, true, { running: null, runStrategy: 'RerunOnFailure' }],
    ['leaves running: true', { running: true }, true, undefined],
  ] as const)
    test(reason, () => assert.deepEqual(changeOf({ spec }, { running }).patch?.['spec'], expected));

  for (const [name, spec] of machineCases)
    test(`is none for what was just built: ${name}`, () => {
      const built = buildMachine(identity, spec, { cpus: 2, memoryMb: 2048, running: true });
      const { instancetype } = spec;
      const words = { name: identity.name, description: identity.description, vappName: identity.vappName };
      const desired = { cpus: 2, memoryMb: 2048, running: true, ...words };
      assert.deepEqual(
        changeOf(built.machine, instancetype === undefined ? desired : { ...desired, instancetype }),
        {},
      );
    });
});
