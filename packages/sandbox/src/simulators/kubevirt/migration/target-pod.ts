/**
 * Renders the target pod: a launcher like the first, with the same images, on another node that can run the guest's CPU
 * model.
 */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import type { Pod, VirtualMachineInstance, VirtualMachineInstanceMigration } from '../objects.ts';
import { domainOf } from '../vmi/domain.ts';
import { renderLauncherPod, type LauncherOptions } from '../vmi/launcher/pod.ts';
import { labels as vmiLabels } from '../vmi/names.ts';
import { annotations, labels } from './names.ts';

const HOST_MODEL = 'host-model-cpu.node.kubevirt.io/';
const HOST_FEATURE = 'host-model-required-features.node.kubevirt.io/';
const MIGRATION_MODEL = 'cpu-model-migration.node.kubevirt.io/';
const FEATURE = 'cpu-feature.node.kubevirt.io/';
const VENDOR = 'cpu-vendor.node.kubevirt.io/';
const HOSTNAME = 'kubernetes.io/hostname';

export interface TargetOptions extends Omit<LauncherOptions, 'imageIds' | 'temporary'> {
  /** The node on which the guest runs. */
  readonly node: Unstructured | undefined;
  readonly matchesSelinuxLevel: boolean;
}

/** `renderTargetPod` throws if the pod cannot be rendered; the message says why. */
export function renderTargetPod(
  migration: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance,
  source: Pod,
  options: TargetOptions,
): Pod {
  const { node, matchesSelinuxLevel, ...launcher } = options;
  const pod = renderLauncherPod(vmi, { ...launcher, imageIds: imageIdsOf(vmi, source) });
  const level = matchesSelinuxLevel ? selinuxLevel(vmi) : undefined;
  const security = pod.spec['securityContext'] as JsonObject | undefined;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, [labels.job]: migration.metadata.uid ?? '' },
      annotations: { ...pod.metadata.annotations, [annotations.jobName]: migration.metadata.name ?? '' },
    },
    spec: {
      ...pod.spec,
      affinity: apartFrom(vmi, pod.spec['affinity'] as JsonObject | undefined),
      nodeSelector: {
        ...(migration.spec?.['addedNodeSelector'] as JsonObject | undefined),
        ...(pod.spec['nodeSelector'] as JsonObject),
        ...(domainOf(vmi).cpu?.model === 'host-model' ? cpuSelector(vmi, node, source) : {}),
      },
      ...(level === undefined ? {} : { securityContext: { ...security, seLinuxOptions: { level } } }),
    },
  };
}

interface ImageStatus {
  readonly name: string;
  readonly image?: string;
  readonly imageID?: string;
}

interface ImageVolume {
  readonly name: string;
  readonly image?: { readonly reference?: string };
}

/** `imageIdsOf` returns the digests of container disks, so that both pods use identical images; keyed by the name of the volume. */
export function imageIdsOf({ spec }: VirtualMachineInstance, source: Pod): Readonly<Record<string, string>> {
  const statuses = (source.status?.initContainerStatuses ?? []) as unknown as readonly ImageStatus[];
  const mounted = (source.spec['volumes'] ?? []) as unknown as readonly ImageVolume[];
  const ids: Record<string, string> = {};
  for (const { name, containerDisk } of spec.volumes ?? []) {
    if (containerDisk === undefined) continue;
    // A launcher that is itself a migration target has the digest in its image reference.
    const reference = mounted.find((volume) => volume.name === name)?.image?.reference;
    const status = statuses.find((one) => one.name === `volume${name}`);
    if (reference?.includes('@sha256:') === true) ids[name] = reference;
    else if (status !== undefined) ids[name] = pullable(containerDisk.image, status.imageID ?? '');
  }
  return ids;
}

function pullable(image: string, imageId: string): string {
  const digest = /sha256:[a-f0-9]+$/.exec(imageId)?.[0];
  if (digest === undefined)
    throw new Error(`failed to identify image digest for container "${image}" with id "${imageId}"`);
  const plain = image.split('@')[0] ?? '';
  const colon = plain.lastIndexOf(':');
  return `${colon > plain.lastIndexOf('/') ? plain.slice(0, colon) : plain}@${digest}`;
}

function apartFrom({ metadata }: VirtualMachineInstance, affinity: JsonObject | undefined): JsonObject {
  const apart = affinity?.['podAntiAffinity'] as JsonObject | undefined;
  const terms = (apart?.['requiredDuringSchedulingIgnoredDuringExecution'] ?? []) as JsonObject[];
  const term = {
    labelSelector: { matchLabels: { [vmiLabels.createdBy]: metadata.uid ?? '' } },
    topologyKey: HOSTNAME,
  };
  return {
    ...affinity,
    podAntiAffinity: { ...apart, requiredDuringSchedulingIgnoredDuringExecution: [...terms, term] },
  };
}

/**
 * A guest with the CPU model of its host needs a node with that model; one that was migrated before needs what it
 * needed then.
 */
function cpuSelector(
  { metadata, status }: VirtualMachineInstance,
  node: Unstructured | undefined,
  source: Pod,
): JsonObject {
  if (node === undefined)
    throw new Error(`node "${status?.nodeName ?? ''}" associated with vmi "${metadata.name ?? ''}" does not exist`);
  const before = Object.entries((source.spec['nodeSelector'] ?? {}) as Readonly<Record<string, string>>);
  const known = before.filter(([label]) => label.startsWith(FEATURE) || label.startsWith(MIGRATION_MODEL));
  if (known.length > 0) return Object.fromEntries(before.filter(([label]) => isAboutCpu(label)));
  const selector: JsonObject = {};
  let hasModel = false;
  for (const [label, value] of Object.entries(node.metadata.labels ?? {})) {
    if (label.startsWith(VENDOR)) selector[label] = value;
    if (label.startsWith(HOST_FEATURE)) selector[FEATURE + label.slice(HOST_FEATURE.length)] = value;
    if (!label.startsWith(HOST_MODEL)) continue;
    selector[MIGRATION_MODEL + label.slice(HOST_MODEL.length)] = value;
    hasModel = true;
  }
  if (!hasModel)
    throw new Error(`unable to locate host cpu model, does not contain label "${HOST_MODEL}" with information`);
  return selector;
}

const isAboutCpu = (label: string): boolean =>
  [FEATURE, MIGRATION_MODEL, VENDOR].some((start) => label.startsWith(start));

/** The target shares disks with the source, and therefore needs its SELinux categories. */
function selinuxLevel({ status }: VirtualMachineInstance): string | undefined {
  const context = status?.['selinuxContext'];
  if (context === 'none') return undefined;
  if (typeof context !== 'string' || context === '') throw new Error('SELinux context not set on VMI status');
  const level = context.split(':').slice(3).join(':');
  return level === '' ? undefined : level;
}
