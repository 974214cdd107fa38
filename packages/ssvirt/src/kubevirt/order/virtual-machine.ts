/**
 * The VirtualMachine of an order: the fields that we own, for server-side apply. They are the role's, and the labels
 * that the Service selects by.
 */
import { defined } from '@ssvirt/base/values/defined';
import { fields, list, text } from '../facts/reading.ts';
import { kubevirtVersion, type KubeLike } from '../tenant-vm/kube-like.ts';
import { childLabels, childMetadata, type OrderIdentity } from './identity.ts';
import { childNames } from './child-names.ts';
import type { OrderParameters } from './parameters/order-parameters.ts';
import { labels } from './resource.ts';

type Json = Readonly<Record<string, unknown>>;

/** Lists in which others may have entries too, such as a volume that a user hot-plugged. */
export const atomicLists = [
  { path: 'spec.template.spec.volumes' },
  { path: 'spec.template.spec.networks' },
  { path: 'spec.template.spec.domain.devices.disks' },
  { path: 'spec.template.spec.domain.devices.interfaces' },
] as const;

/**
 * Fields that are taken over from the existing VM: a VM that a user stopped stays stopped. KubeVirt accepts only one of
 * the first two.
 */
export interface LiveMachine {
  readonly running?: boolean;
  readonly runStrategy?: string;
  /** As in its template. */
  readonly accessCredentials?: readonly unknown[];
}

/** How the VM is connected to the pod network; `l2bridge` if that is a user-defined network. */
export type NetworkBinding = 'masquerade' | 'l2bridge';

export interface OrderVmOptions {
  readonly binding: NetworkBinding;
}

export function liveMachine(vm: unknown): LiveMachine {
  const { running, runStrategy, template } = fields(fields(vm)['spec']);
  const credentials = list(fields(fields(template)['spec'])['accessCredentials']);
  const strategy = text(runStrategy);
  return {
    ...(typeof running === 'boolean' ? { running } : {}),
    ...defined({ runStrategy: strategy }),
    ...(credentials.length === 0 ? {} : { accessCredentials: credentials }),
  };
}

export function buildVirtualMachine(
  identity: OrderIdentity,
  parameters: OrderParameters,
  live: LiveMachine | undefined,
  { binding }: OrderVmOptions,
): KubeLike {
  const { vm } = childNames(identity);
  const metadata = childMetadata(identity, vm);
  return {
    apiVersion: kubevirtVersion,
    kind: 'VirtualMachine',
    metadata,
    spec: {
      ...power(live),
      template: {
        // KubeVirt copies these to the instance and its pod, and nothing of the VirtualMachine's own metadata.
        metadata: {
          labels: { ...childLabels(identity), [labels.vm]: vm },
          annotations: identity.marks.annotations,
        },
        spec: { ...instanceSpec(identity, parameters, binding), ...credentials(identity, parameters, live) },
      },
    },
  };
}

function power({ running, runStrategy }: LiveMachine = {}): Json {
  return runStrategy === undefined ? { running: running ?? true } : { runStrategy };
}

function instanceSpec(identity: OrderIdentity, { cpuCores, memory }: OrderParameters, binding: NetworkBinding): Json {
  const { dataVolume, cloudInitSecret } = childNames(identity);
  return {
    domain: {
      cpu: { cores: cpuCores },
      memory: { guest: memory },
      devices: {
        disks: [
          { name: 'root-disk', disk: { bus: 'virtio' } },
          { name: 'cloud-init-disk', disk: { bus: 'virtio' }, serial: 'cloud-init' },
        ],
        interfaces: [
          { name: 'default', ...(binding === 'masquerade' ? { masquerade: {} } : { binding: { name: binding } }) },
        ],
        rng: {},
      },
      features: {
        smm: { enabled: true },
        acpi: {},
        apic: {},
        hyperv: { relaxed: {}, vapic: {}, spinlocks: { spinlocks: 8191 } },
      },
    },
    networks: [{ name: 'default', pod: {} }],
    volumes: [
      { name: 'root-disk', dataVolume: { name: dataVolume } },
      { name: 'cloud-init-disk', cloudInitNoCloud: { secretRef: { name: cloudInitSecret } } },
    ],
  };
}

/**
 * Our credential before those that others have added. A list that AAP has created is owned by AAP and is not removed
 * when we omit it: so it is written, even empty, while the VM has one.
 */
function credentials(identity: OrderIdentity, { sshPublicKey }: OrderParameters, live: LiveMachine = {}): Json {
  const { sshKeySecret } = childNames(identity);
  const own = {
    sshPublicKey: { source: { secret: { secretName: sshKeySecret } }, propagationMethod: { noCloud: {} } },
  };
  const found = live.accessCredentials ?? [];
  const foreign = found.filter((one) => secretOf(one) !== sshKeySecret);
  const all = [...(sshPublicKey === undefined ? [] : [own]), ...foreign];
  return all.length === 0 && found.length === 0 ? {} : { accessCredentials: all };
}

function secretOf(credential: unknown): unknown {
  const { source } = fields(fields(credential)['sshPublicKey']);
  return fields(fields(source)['secret'])['secretName'];
}
