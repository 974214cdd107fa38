/** Any VM that the API server accepts. */
import fc from 'fast-check';
import type { VmIdentity } from '../../packages/ssvirt/src/kubevirt/tenant-vm/labels.ts';
import { machineName } from '../../packages/ssvirt/src/kubevirt/tenant-vm/names.ts';
import { reservedDiskNames } from '../../packages/ssvirt/src/kubevirt/tenant-vm/disk-names.ts';
import type { BootSource, DiskSpec, VmSpec, VmNetworkSpec } from '../../packages/ssvirt/src/kubevirt/tenant-vm/spec.ts';

const dnsLabel = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/);
const sizeMb = fc.integer({ min: 1, max: 4 * 1024 * 1024 });
const size = fc.record({ sizeMb, storageClass: fc.constantFrom('fast', 'slow') }, { requiredKeys: ['sizeMb'] });
const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });

const boot: fc.Arbitrary<BootSource> = fc.oneof(
  fc.record({ kind: fc.constant('image' as const), image: fc.constantFrom('fedora:42', 'images/debian@sha256:0a') }),
  fc.record({ kind: fc.constant('dataSource' as const), namespace: dnsLabel, name: dnsLabel }),
  fc.record({ kind: fc.constant('url' as const), url: fc.webUrl({ validSchemes: ['https'] }) }),
  fc.record({ kind: fc.constant('blank' as const) }),
);

const disk: fc.Arbitrary<DiskSpec> = fc
  .tuple(
    dnsLabel.filter((name) => !reservedDiskNames.has(name)),
    size,
  )
  .map(([name, rest]) => ({ name, ...rest }));

/** A VM has at most one pod network. */
const networks: fc.Arbitrary<readonly VmNetworkSpec[]> = fc
  .tuple(fc.boolean(), fc.uniqueArray(dnsLabel, { maxLength: 3 }))
  .map(([pod, names]) =>
    names.map((name, index) =>
      pod && index === 0 ? { name, kind: 'pod' } : { name, kind: 'multus', networkName: `net-${index}` },
    ),
  );

const matcher = (kind: string): fc.Arbitrary<{ name: string; kind?: string }> =>
  fc.record({ name: dnsLabel, kind: fc.constant(kind) }, { requiredKeys: ['name'] });

const optional = fc.record(
  {
    instancetype: matcher('VirtualMachineInstancetype'),
    preference: matcher('VirtualMachinePreference'),
    cloudInit: fc.record({ userData: anyText, networkData: anyText }, { requiredKeys: [] }),
    sshKeys: fc.array(
      fc.base64String().map((key) => `ssh-ed25519 ${key}`),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

export const anySpec: fc.Arbitrary<VmSpec> = fc
  .tuple(boot, size, fc.uniqueArray(disk, { maxLength: 4, selector: ({ name }) => name }), networks, optional)
  .map(([from, rootDisk, disks, nets, more]) => ({
    source: { kind: 'direct', boot: from },
    ...(from.kind === 'image' ? {} : { rootDisk }),
    disks,
    networks: nets,
    storageMb: 0,
    ...more,
  }));

export const anySize = fc.record({
  cpus: fc.integer({ min: 1, max: 64 }),
  memoryMb: fc.integer({ min: 1, max: 1024 * 1024 }),
  running: fc.boolean(),
});

export function anyIdentity(like: VmIdentity): fc.Arbitrary<VmIdentity> {
  return fc
    .record({ name: anyText, description: anyText, vmId: fc.uuid() })
    .map((own) => ({ ...like, ...own, vmName: machineName(own.name, own.vmId) }));
}
