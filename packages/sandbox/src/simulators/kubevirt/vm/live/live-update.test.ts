import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { VirtualMachineInstance, VmiSpec } from '../../objects.ts';
import { condition, template, vmi, type VmiOptions } from '../builders.fixture.ts';
import { cpuChange, placementChange, tolerationsChange } from './live-update.ts';
import type { LiveChange } from './live-change.ts';
import { memoryChange } from './live-memory.ts';

const sized = (sockets: number, guest: string, more: VmiSpec['domain'] = {}): VmiSpec =>
  template({ domain: { cpu: { sockets, cores: 1, threads: 1 }, memory: { guest }, ...more } });
const running = (options: VmiOptions & { readonly domain?: VmiSpec['domain'] } = {}): VirtualMachineInstance =>
  vmi('Running', {
    conditions: [condition('LiveMigratable', 'True')],
    ...options,
    spec: template({
      domain: {
        cpu: { sockets: 1, cores: 1, threads: 1, maxSockets: 4 },
        memory: { guest: '1Gi', maxGuest: '4Gi' },
        ...options.domain,
      },
    }),
    status: { memory: { guestAtBoot: '1Gi', guestCurrent: '1Gi', guestRequested: '1Gi' }, ...options.status },
  });
const migrating = running({ status: { migrationState: { startTimestamp: '2026-01-01T00:00:00Z' } } });

/** `path=value` for each replaced value, or the kind and the message. */
function brief(change: LiveChange): string {
  if (change.kind === 'none') return 'none';
  if (change.kind !== 'patch') return `${change.kind}: ${change.message}`;
  return change.operations
    .filter(({ op }) => op !== 'test')
    .map(({ op, path, value }) => `${op} ${path}=${JSON.stringify(value)}`)
    .join(', ');
}

const cpu: readonly (readonly [string, VmiSpec, VirtualMachineInstance, string])[] = [
  ['the same', sized(1, '1Gi'), running(), 'none'],
  ['more', sized(2, '1Gi'), running(), 'replace /spec/domain/cpu/sockets=2'],
  [
    'more, with a request of its own',
    sized(3, '1Gi', { resources: { requests: { cpu: '500m' } } }),
    running({ domain: { resources: { requests: { cpu: '500m' } } } }),
    'replace /spec/domain/cpu/sockets=3, replace /spec/domain/resources/requests/cpu="700m"',
  ],
  [
    'more, with a limit that is a plain number',
    sized(3, '1Gi', { resources: { limits: { cpu: 4 } } }),
    running({ domain: { resources: { limits: { cpu: 4 } } } }),
    'replace /spec/domain/cpu/sockets=3, replace /spec/domain/resources/limits/cpu="4200m"',
  ],
  [
    'more than there can be',
    sized(5, '1Gi'),
    running(),
    "restart: CPU sockets updated in template spec to a value higher than what's available",
  ],
  ['fewer', sized(0, '1Gi'), running(), 'restart: Reduction of CPU socket count requires a restart'],
  [
    'more while more are on their way',
    sized(2, '1Gi'),
    running({ conditions: [condition('HotVCPUChange', 'True')] }),
    'refuse: another CPU hotplug is in progress',
  ],
  ['more while it moves', sized(2, '1Gi'), migrating, 'refuse: CPU hotplug is not allowed while VMI is migrating'],
];

suite('sockets of a guest that runs', () => {
  for (const [name, wanted, instance, done] of cpu)
    test(name, () => assert.equal(brief(cpuChange(wanted, instance)), done));
});

const memory: readonly (readonly [string, VmiSpec, VirtualMachineInstance, string])[] = [
  ['the same, written otherwise', sized(1, '1024Mi'), running(), 'none'],
  ['more', sized(1, '2Gi'), running(), 'replace /spec/domain/memory/guest="2Gi"'],
  [
    'more, with a request of its own',
    sized(1, '2Gi'),
    running({ domain: { resources: { requests: { memory: '1Gi' } }, memory: { guest: '1Gi', maxGuest: '4Gi' } } }),
    'replace /spec/domain/memory/guest="2Gi", replace /spec/domain/resources/requests/memory="2Gi"',
  ],
  [
    'less than at boot',
    sized(1, '1Gi'),
    running({
      domain: { memory: { guest: '3Gi', maxGuest: '4Gi' } },
      status: { memory: { guestAtBoot: '2Gi', guestCurrent: '3Gi' } },
    }),
    'restart: memory updated in template spec to a value lower than what the VM started with',
  ],
  [
    'more than there can be',
    sized(1, '8Gi'),
    running(),
    'restart: memory hotplug not supported, Guest memory is greater than the configured maxGuest memory',
  ],
  [
    'an odd size',
    sized(1, '1025Mi'),
    running(),
    'restart: memory hotplug not supported, Guest memory must be 2Mi aligned',
  ],
  [
    'a VM that cannot move',
    sized(1, '2Gi'),
    running({ conditions: [] }),
    'restart: memory updated in template spec. Memory-hotplug is only available for migratable VMs',
  ],
  [
    'a VM without room for more',
    sized(1, '2Gi'),
    running({ domain: { memory: { guest: '1Gi' } } }),
    'restart: memory updated in template spec. Memory-hotplug is not available for this VM configuration',
  ],
  [
    'more while more is on its way',
    sized(1, '2Gi'),
    running({ conditions: [condition('LiveMigratable', 'True'), condition('HotMemoryChange', 'True')] }),
    'refuse: another memory hotplug is in progress',
  ],
];

suite('memory of a guest that runs', () => {
  for (const [name, wanted, instance, done] of memory)
    test(name, () => assert.equal(brief(memoryChange(wanted, instance)), done));
});

test('placement and tolerations come along, and nothing is written where nothing differs', () => {
  const placed = { ...sized(1, '1Gi'), nodeSelector: { zone: 'a' }, tolerations: [{ key: 'x' }] };
  assert.equal(brief(placementChange(placed, running())), 'add /spec/nodeSelector={"zone":"a"}');
  assert.equal(brief(tolerationsChange(placed, running())), 'add /spec/tolerations=[{"key":"x"}]');
  assert.equal(brief(placementChange(sized(1, '1Gi'), running())), 'none');
  const selective = { ...running(), spec: { ...running().spec, nodeSelector: { zone: 'a' } } };
  assert.equal(brief(placementChange(sized(1, '1Gi'), selective)), 'remove /spec/nodeSelector=undefined');
  assert.equal(
    brief(placementChange(placed, migrating)),
    'refuse: Node affinity should not be changed during VMI migration',
  );
});
