/** The mounts of a launcher pod: its own directories, and the VMI's volumes that exist from the start. */
import type { JsonObject } from '../../../../values/json.ts';
import type { PersistentVolumeClaim, VirtualMachineInstance, Volume } from '../../objects.ts';
import { claimOf, domainOf } from '../domain.ts';
import { LAUNCHER_IMAGE } from '../names.ts';
import { backendMounts } from './backend-storage.ts';

/** `ClaimNotFound`: a PVC that the pod would mount does not exist (yet). */
export class ClaimNotFound extends Error {
  override readonly name = 'ClaimNotFound';
}

export interface VolumeSources {
  /** Looks up a PVC by name in the VMI's namespace. */
  readonly claim: (name: string) => PersistentVolumeClaim | undefined;
  /** Image digests for the target of a migration, by the name of the volume. */
  readonly imageIds?: Readonly<Record<string, string>>;
  /** The PVC that keeps the state of a persistent TPM or EFI. */
  readonly backendClaim?: string;
}

export interface Mounted {
  readonly volumes: JsonObject[];
  readonly mounts: JsonObject[];
  readonly devices: JsonObject[];
  /** Directories to which several pods may write at once. */
  readonly shared: string[];
}

const PRIVATE = '/var/run/kubevirt-private';
const SECRETS = `${PRIVATE}/secret`;
const KERNEL_BOOT = 'kernel-boot-volume';

const emptyDir = (name: string): JsonObject => ({ name, emptyDir: {} });
const secret = (name: string, secretName: string): JsonObject => ({ name, secret: { secretName } });

/** For hotplugged volumes, only the directory into which they are mounted later is mounted. */
export function mountVolumes(vmi: VirtualMachineInstance, sources: VolumeSources): Mounted {
  const into: Mounted = {
    volumes: ['private', 'public', 'sockets', 'virt-bin-share-dir', 'libvirt-runtime', 'ephemeral-disks'].map(emptyDir),
    mounts: [
      { name: 'private', mountPath: PRIVATE },
      { name: 'public', mountPath: '/var/run/kubevirt' },
      { name: 'ephemeral-disks', mountPath: '/var/run/kubevirt-ephemeral-disks' },
      { name: 'libvirt-runtime', mountPath: '/var/run/libvirt' },
      { name: 'sockets', mountPath: '/var/run/kubevirt/sockets' },
    ],
    devices: [],
    shared: [],
  };
  const { devices, memory } = domainOf(vmi);
  const volumes = vmi.spec.volumes ?? [];
  mountConfiguration(into, volumes, new Set((devices.disks ?? []).map(({ name }) => name)));
  const hotplugged = hotpluggedNames(vmi);
  for (const volume of volumes) if (!hotplugged.has(volume.name)) mountVolume(into, volume, sources);
  mountCredentials(into, vmi);
  if (sources.backendClaim !== undefined) backendMounts(into, vmi, sources.backendClaim);
  mountImages(into, vmi, sources.imageIds ?? {});
  if (memory?.hugepages !== undefined) mountHugepages(into);
  if (devices.disableHotplug !== true) {
    const mount = { name: 'hotplug-disks', mountPath: '/var/run/kubevirt/hotplug-disks' };
    into.mounts.push({ ...mount, mountPropagation: 'HostToContainer' });
    into.volumes.push(emptyDir('hotplug-disks'));
  }
  return into;
}

function hotpluggedNames({ spec, status }: VirtualMachineInstance): Set<unknown> {
  const plugged = (status?.volumeStatus ?? []).filter((volume) => volume['hotplugVolume'] !== undefined);
  const pluggable = (spec.volumes ?? []).filter(
    ({ dataVolume, persistentVolumeClaim }) => (dataVolume ?? persistentVolumeClaim)?.hotpluggable === true,
  );
  return new Set([...plugged.map((volume) => volume['name']), ...pluggable.map(({ name }) => name)]);
}

/** Secrets, ConfigMaps and the like are mounted only if they are used as a disk and not as a file system. */
function mountConfiguration({ volumes, mounts }: Mounted, of: readonly Volume[], disks: ReadonlySet<string>): void {
  for (const volume of of) {
    const { name } = volume;
    const found = configuration(volume);
    if (found === undefined) continue;
    volumes.push({ name, ...found.source });
    if (disks.has(name)) mounts.push({ name, mountPath: `${PRIVATE}/${found.directory}/${name}`, readOnly: true });
  }
}

function configuration(volume: Volume): { readonly source: JsonObject; readonly directory: string } | undefined {
  const { secret: secretSource, configMap, downwardAPI } = volume as unknown as Record<string, JsonObject | undefined>;
  if (secretSource !== undefined) {
    const { secretName, optional } = secretSource;
    return { source: { secret: { secretName, optional } }, directory: 'secret' };
  }
  if (configMap !== undefined) {
    const { name, optional } = configMap;
    return { source: { configMap: { name, optional } }, directory: 'config-map' };
  }
  if (downwardAPI === undefined) return undefined;
  return { source: { downwardAPI: { items: downwardAPI['fields'] } }, directory: 'downwardapi' };
}

function mountVolume(into: Mounted, volume: Volume, sources: VolumeSources): void {
  const { name } = volume;
  const of = volume as unknown as Record<string, JsonObject | undefined>;
  if (volume.persistentVolumeClaim !== undefined || volume.dataVolume !== undefined) {
    mountClaim(
      into,
      name,
      { claimName: claimOf(volume), readOnly: of['persistentVolumeClaim']?.['readOnly'] },
      sources,
    );
  }
  const ephemeral = of['ephemeral']?.['persistentVolumeClaim'] as JsonObject | undefined;
  if (ephemeral !== undefined) mountClaim(into, name, ephemeral, sources);
  if (of['hostDisk'] !== undefined) mountHostDisk(into, name, of['hostDisk']);
  if (of['downwardMetrics'] !== undefined) {
    into.volumes.push({ name, emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } });
    into.mounts.push({ name, mountPath: `${PRIVATE}/downwardapi-disks` });
  }
  if (of['cloudInitNoCloud'] !== undefined) mountCloudInit(into, name, of['cloudInitNoCloud']);
  if (of['cloudInitConfigDrive'] !== undefined) mountCloudInit(into, name, of['cloudInitConfigDrive']);
  if (of['sysprep'] !== undefined) mountSysprep(into, name, of['sysprep']);
}

function mountClaim(into: Mounted, name: string, source: JsonObject, sources: VolumeSources): void {
  const claimName = String(source['claimName']);
  const claim = sources.claim(claimName);
  if (claim === undefined) throw new ClaimNotFound(`didn't find PVC ${claimName}`);
  if (claim.spec['volumeMode'] === 'Block') into.devices.push({ name, devicePath: `/dev/${name}` });
  else {
    const mountPath = `${PRIVATE}/vmi-disks/${name}`;
    into.mounts.push({ name, mountPath });
    if (claim.spec['accessModes']?.toString().includes('ReadWriteMany') === true) into.shared.push(mountPath);
  }
  into.volumes.push({ name, persistentVolumeClaim: source });
}

function mountHostDisk({ volumes, mounts }: Mounted, name: string, { path, type }: JsonObject): void {
  const directory = String(path).replace(/\/[^/]*$/, '') || '/';
  mounts.push({ name, mountPath: `${PRIVATE}/vmi-disks/${name}` });
  volumes.push({
    name,
    hostPath: { path: directory, type: type === 'DiskOrCreate' ? 'DirectoryOrCreate' : 'Directory' },
  });
}

/** Only the one key that is used is mounted from each Secret, in both spellings that users write. */
const cloudInitSecrets = [
  ['secretRef', '-udata', ['userdata', 'userData']],
  ['networkDataSecretRef', '-ndata', ['networkdata', 'networkData']],
] as const;

function mountCloudInit({ volumes, mounts }: Mounted, name: string, source: JsonObject): void {
  for (const [field, suffix, keys] of cloudInitSecrets) {
    const reference = source[field] as JsonObject | undefined;
    if (reference === undefined) continue;
    volumes.push(secret(`${name}${suffix}`, String(reference['name'])));
    for (const key of keys)
      mounts.push({ name: `${name}${suffix}`, mountPath: `${SECRETS}/${name}/${key}`, subPath: key, readOnly: true });
  }
}

function mountSysprep({ volumes, mounts }: Mounted, name: string, { secret: of, configMap }: JsonObject): void {
  const source: JsonObject =
    of === undefined ? { configMap: configMap ?? {} } : { secret: { secretName: (of as JsonObject)['name'] } };
  volumes.push({ name, ...source });
  mounts.push({ name, mountPath: `${PRIVATE}/sysprep/${name}`, readOnly: true });
}

interface Credential {
  readonly source?: { readonly secret?: { readonly secretName?: string } };
}

function mountCredentials({ volumes, mounts }: Mounted, { spec }: VirtualMachineInstance): void {
  const credentials = (spec['accessCredentials'] ?? []) as readonly Readonly<Record<string, Credential>>[];
  for (const { sshPublicKey, userPassword } of credentials) {
    const secretName = (sshPublicKey ?? userPassword)?.source?.secret?.secretName;
    if (secretName === undefined) continue;
    const name = `${secretName}-access-cred`;
    volumes.push(secret(name, secretName));
    mounts.push({ name, mountPath: `${SECRETS}/${name}`, readOnly: true });
  }
}

const isDigest = (image: string | undefined): boolean => image?.includes('@sha256:') === true;

/** Container disks are image volumes, mounted by their position in the list. */
function mountImages(
  { volumes, mounts }: Mounted,
  vmi: VirtualMachineInstance,
  ids: Readonly<Record<string, string>>,
): void {
  for (const [index, { name, containerDisk }] of (vmi.spec.volumes ?? []).entries()) {
    if (containerDisk === undefined) continue;
    const { image, imagePullPolicy: pullPolicy } = containerDisk;
    volumes.push({ name, image: { reference: ids[name] ?? image, pullPolicy } });
    mounts.push({ name, mountPath: `/var/run/kubevirt-image-volume/disk_${index}`, readOnly: true });
  }
  const kernel = domainOf(vmi).firmware?.kernelBoot?.container;
  if (kernel?.image !== undefined) {
    const reference = ids[KERNEL_BOOT] ?? kernel.image;
    volumes.push({ name: KERNEL_BOOT, image: { reference, pullPolicy: kernel.imagePullPolicy } });
    mounts.push({ name: KERNEL_BOOT, mountPath: '/var/run/kubevirt-kernel-boot', readOnly: true });
  }
  if (imagesToResolve(vmi, ids).length === 0) return;
  volumes.push({ name: 'launcher-volume', image: { reference: LAUNCHER_IMAGE, pullPolicy: 'IfNotPresent' } });
}

export interface DiskImage {
  readonly name: string;
  readonly image: string;
  readonly pullPolicy: string | undefined;
}

/** Images whose digest is unknown: an init container for each reveals it, for a later migration. */
export function imagesToResolve(
  vmi: VirtualMachineInstance,
  ids: Readonly<Record<string, string>>,
): readonly DiskImage[] {
  const kernel = domainOf(vmi).firmware?.kernelBoot?.container;
  const disks = (vmi.spec.volumes ?? []).flatMap(({ name, containerDisk }) =>
    containerDisk === undefined
      ? []
      : [{ name, image: containerDisk.image, pullPolicy: containerDisk.imagePullPolicy }],
  );
  if (kernel?.image !== undefined)
    disks.push({ name: KERNEL_BOOT, image: kernel.image, pullPolicy: kernel.imagePullPolicy });
  return disks.filter(({ name }) => !isDigest(ids[name]));
}

function mountHugepages({ volumes, mounts }: Mounted): void {
  volumes.push({ name: 'hugepages', emptyDir: { medium: 'HugePages' } }, emptyDir('hugetblfs-dir'));
  mounts.push(
    { name: 'hugepages', mountPath: '/dev/hugepages' },
    { name: 'hugetblfs-dir', mountPath: '/dev/hugepages/libvirt/qemu' },
  );
}
