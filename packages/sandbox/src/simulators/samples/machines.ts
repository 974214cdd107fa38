/**
 * One VM in each interesting state, named after it. Failures occur by themselves if possible, otherwise through the
 * annotation for faults.
 */
import type { JsonObject } from '../../values/json.ts';
import { FAULT_ANNOTATION, type DialFault } from '../dials.ts';
import {
  namespaces,
  persistentVolumeClaims,
  virtualMachines,
  type PersistentVolumeClaim,
  type VirtualMachine,
} from '../kubevirt/objects.ts';
import { place, type Placed } from '../place-objects.ts';
import { LOCAL } from '../storage/classes.ts';
import { BOOT_SOURCES } from './boot-sources.ts';
import { namespace as namespaceObject, resourceQuotas } from './kinds.ts';
import { systemNamed } from './systems.ts';

export const DEMO = 'demo';
/** A quota applies to a whole namespace, so this VM has its own. */
export const TIGHT = 'demo-quota';
export const RESTART_REQUIRED = 'restart-required';
const UNBOUND = 'waiting-for-volume';
/** A change that cannot be applied while the guest runs. */
export const EDIT: JsonObject = { spec: { template: { spec: { hostname: 'renamed' } } } };

interface Disk {
  readonly volume: JsonObject;
  readonly dataVolume?: JsonObject;
}

interface Sample {
  readonly name: string;
  /** Describes what the sample shows, for `kubectl describe`. */
  readonly about: string;
  readonly fault?: DialFault;
  readonly namespace?: string;
  readonly runStrategy?: string;
  /** The root disk. Default: a container disk. */
  readonly disk?: (name: string) => Disk;
  readonly instance?: JsonObject;
}

const { image, preference } = systemNamed('fedora');
const storage = (size: string): JsonObject => ({ resources: { requests: { storage: size } } });

const dataVolume =
  (spec: JsonObject) =>
  (name: string): Disk => ({
    volume: { dataVolume: { name: `${name}-root` } },
    dataVolume: { metadata: { name: `${name}-root` }, spec },
  });

const samples: readonly Sample[] = [
  {
    name: 'running',
    about: 'It runs, from a container disk, and moves to another node when its own is drained.',
    instance: { evictionStrategy: 'LiveMigrate' },
  },
  {
    name: 'running-from-boot-source',
    about: `It runs, from a disk that was cloned from the DataSource fedora in ${BOOT_SOURCES}.`,
    disk: dataVolume({
      sourceRef: { kind: 'DataSource', name: 'fedora', namespace: BOOT_SOURCES },
      storage: storage('20Gi'),
    }),
  },
  { name: 'stopped', about: 'It is off: runStrategy Halted.', runStrategy: 'Halted' },
  {
    name: 'paused',
    about: 'It was started without running: startStrategy Paused. Unpause it by the subresource of its instance.',
    instance: { startStrategy: 'Paused' },
  },
  {
    name: RESTART_REQUIRED,
    about: 'It runs, and was changed in a way that needs a restart: see its conditions.',
  },
  {
    name: 'provisioning',
    about: 'Its disk waits for an upload.',
    disk: dataVolume({ source: { upload: {} }, storage: storage('10Gi') }),
  },
  {
    name: 'unschedulable',
    about: 'No node has the label that it asks for.',
    instance: { nodeSelector: { 'example.com/rack': 'none-such' } },
  },
  { name: 'crash-loop', about: 'Its guest dies before it runs, again and again.', fault: 'crash-loop' },
  {
    name: 'import-fails',
    about: 'The import of its disk fails, again and again.',
    fault: 'import-fails',
    disk: dataVolume({
      source: { http: { url: 'http://images.example.com/missing.qcow2' } },
      storage: storage('10Gi'),
    }),
  },
  { name: 'image-pull-error', about: 'Its image cannot be pulled.', fault: 'image-pull-error' },
  {
    name: 'pvc-not-found',
    about: 'It names a PersistentVolumeClaim that does not exist.',
    disk: () => ({ volume: { persistentVolumeClaim: { claimName: 'none-such' } } }),
  },
  {
    name: UNBOUND,
    about: 'Its volume is not provisioned.',
    disk: () => ({ volume: { persistentVolumeClaim: { claimName: UNBOUND } } }),
  },
  {
    name: 'over-quota',
    about: 'The ResourceQuota of its namespace does not let its pod in: see the conditions of its instance.',
    namespace: TIGHT,
  },
];

function machine(sample: Sample): VirtualMachine {
  const { name, about, fault, namespace = DEMO, runStrategy = 'Always', instance = {} } = sample;
  const disk: Disk = sample.disk?.(name) ?? { volume: { containerDisk: { image } } };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/part-of': 'samples' },
      annotations: { description: about, ...(fault === undefined ? {} : { [FAULT_ANNOTATION]: fault }) },
    },
    spec: {
      runStrategy: runStrategy as NonNullable<VirtualMachine['spec']['runStrategy']>,
      instancetype: { name: 'u1.small' },
      preference: { name: preference },
      ...(disk.dataVolume === undefined ? {} : { dataVolumeTemplates: [disk.dataVolume] }),
      template: {
        metadata: { labels: { 'kubevirt.io/vm': name } },
        spec: {
          domain: { devices: { interfaces: [{ name: 'default', masquerade: {} }] } },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'rootdisk', ...disk.volume }],
          ...instance,
        },
      },
    },
  };
}

const unbound: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    name: UNBOUND,
    namespace: DEMO,
    annotations: { [FAULT_ANNOTATION]: 'volume-pending' satisfies DialFault },
  },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: LOCAL, resources: { requests: { storage: '10Gi' } } },
};

const quota = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'tight', namespace: TIGHT },
  spec: { hard: { 'requests.memory': '512Mi' } },
};

export const machines: readonly Placed[] = [
  ...place(namespaces, [namespaceObject(DEMO), namespaceObject(TIGHT)]),
  ...place(resourceQuotas, [quota]),
  ...place(persistentVolumeClaims, [unbound]),
  ...place(virtualMachines, samples.map(machine)),
];
