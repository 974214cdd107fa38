/** Any Machine that the definitions accept, for property tests. */
import fc from 'fast-check';
import type {
  MachineDiskSpec,
  DomainSpec,
  MachineSpec,
  NetworkSpec,
} from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';

const size = fc.constantFrom('64Mi', '1Gi', '1.5Gi', '2G', '4096Mi', '1e9', '0.25Ti');
const name = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/).filter((one) => one !== 'cloudinitdisk');

/** Fields are present or absent, never present and undefined. */
function some<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
}

const source: fc.Arbitrary<NonNullable<MachineDiskSpec['source']>> = fc.oneof(
  fc.constant({ containerDisk: { image: 'images.example.com/fedora:42' } }),
  fc.constant({ http: { url: 'https://images.example.com/debian.qcow2' } }),
  fc.constant({ pvc: { name: 'golden' } }),
  fc.constant({ dataSource: { name: 'fedora', namespace: 'images' } }),
);

const disk: fc.Arbitrary<MachineDiskSpec> = fc
  .tuple(
    name,
    size,
    some<Pick<MachineDiskSpec, 'storageClass' | 'accessMode' | 'volumeMode' | 'source'>>({
      storageClass: fc.constantFrom('default', 'standard', 'fast-ssd'),
      accessMode: fc.constantFrom('ReadWriteOnce', 'ReadWriteMany', 'ReadOnlyMany'),
      volumeMode: fc.constantFrom('Filesystem', 'Block'),
      source,
    }),
  )
  .map(([called, large, rest]) => ({ name: called, size: large, ...rest }));

/** The first may be on the pod network. */
const networks: fc.Arbitrary<readonly NetworkSpec[]> = fc
  .tuple(
    fc.uniqueArray(name, { maxLength: 4 }),
    fc.boolean(),
    fc.array(fc.constantFrom('virtio', 'e1000', 'rtl8139'), { minLength: 4, maxLength: 4 }),
  )
  .map(([names, onPod, models]) =>
    names.map((called, index) => ({
      name: called,
      ...(onPod && index === 0 ? {} : { networkName: index % 2 === 0 ? 'prod-network' : 'storage-network' }),
      ...(index % 2 === 0 ? {} : { model: models[index] ?? 'virtio' }),
    })),
  );

const domain: fc.Arbitrary<DomainSpec> = some({
  machine: fc.constantFrom({ type: 'pc-q35' }, { type: 'q35' }, { type: 'pc-q35-rhel9.2.0' }),
  features: some({ acpi: fc.boolean(), apic: fc.boolean(), hyperv: fc.boolean() }),
  firmware: fc.constantFrom(
    { bootloader: { efi: true } },
    { bootloader: { efi: false } },
    { bootloader: { efi: true, secureBoot: true } },
    { bootloader: { efi: true, secureBoot: false } },
  ),
});

export const anySpec: fc.Arbitrary<MachineSpec> = fc
  .tuple(
    fc.constantFrom('small', 'medium', 'large'),
    some<Omit<MachineSpec, 'template' | 'instanceType' | 'kubevirtConfigRef'>>({
      running: fc.boolean(),
      resources: some({
        cpu: some({
          cores: fc.integer({ min: 1, max: 16 }),
          threads: fc.constantFrom(1, 2),
          sockets: fc.integer({ min: 1, max: 4 }),
        }),
        memory: size.map((one) => ({ size: one })),
      }),
      disks: fc.uniqueArray(disk, { maxLength: 5, selector: (one) => one.name }),
      networks,
      bootOrder: fc.constantFrom(['disk'], ['disk', 'network', 'cdrom'], ['network'], ['cdrom', 'disk']),
      cloudInit: fc.oneof(
        fc.string({ minLength: 1, maxLength: 40 }).map((userData) => ({ userData })),
        fc.constant({ userData: 'x'.repeat(2049), networkData: 'version: 2' }),
        fc.constant({ secretRef: { name: 'machine-secrets' } }),
      ),
      domain,
    }),
  )
  .map(([template, rest]) => ({ template, ...rest }));
