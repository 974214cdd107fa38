/** The containers of a launcher pod. */
import type { Json, JsonObject } from '../../../../values/json.ts';
import type { VirtualMachineInstance } from '../../objects.ts';
import { domainOf, isCpuDedicated, wantsGuaranteed } from '../domain.ts';
import { LAUNCHER_IMAGE } from '../names.ts';
import type { DiskImage, Mounted } from './volumes.ts';

export const NON_ROOT = 107;
/**
 * The padding after the grace period in which virt-launcher itself tries to stop the guest; after the same time again,
 * it is killed.
 */
export const GRACE_PADDING_SECONDS = 15;
/** The approximate start time of libvirt, by which probes are delayed. */
const LIBVIRT_STARTUP_SECONDS = 10;
const DEFAULT_GRACE_SECONDS = 30;

const nonRoot = { runAsUser: NON_ROOT, runAsNonRoot: true, allowPrivilegeEscalation: false };
const unprivileged: JsonObject = { ...nonRoot, capabilities: { drop: ['ALL'] } };

export function gracePeriodOf({ spec }: VirtualMachineInstance): number {
  return spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
}

export interface ComputeOptions {
  readonly resources: JsonObject;
  readonly mounted: Mounted;
  /** The pod exists only as first consumer of PVCs, and ends at once. */
  readonly temporary: boolean;
  readonly useEmulation: boolean;
  readonly random: () => number;
}

export function computeContainer(vmi: VirtualMachineInstance, options: ComputeOptions): JsonObject {
  const { mounted, resources, temporary } = options;
  const { shared, devices, mounts } = mounted;
  const ports = portsOf(vmi);
  const readiness = probeOf(vmi, 'readinessProbe');
  const liveness = probeOf(vmi, 'livenessProbe');
  return {
    name: 'compute',
    image: LAUNCHER_IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command: temporary ? ['/bin/bash', '-c', 'echo', 'bound PVCs'] : launcherCommand(vmi, options),
    env: [
      { name: 'XDG_CACHE_HOME', value: '/var/run/kubevirt-private' },
      { name: 'XDG_CONFIG_HOME', value: '/var/run/kubevirt-private' },
      { name: 'XDG_RUNTIME_DIR', value: '/var/run' },
      ...(shared.length === 0 ? [] : [{ name: 'SHARED_FILESYSTEM_PATHS', value: shared.join(':') }]),
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
    resources,
    volumeMounts: mounts,
    ...(devices.length === 0 ? {} : { volumeDevices: devices }),
    ...(ports.length === 0 ? {} : { ports }),
    ...(readiness === undefined ? {} : { readinessProbe: readiness }),
    ...(liveness === undefined ? {} : { livenessProbe: liveness }),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: { ...nonRoot, runAsGroup: NON_ROOT, capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } },
  };
}

function launcherCommand(vmi: VirtualMachineInstance, { useEmulation, random }: ComputeOptions): string[] {
  const { name = '', uid = '', namespace = '' } = vmi.metadata;
  const ovmf = vmi.spec['architecture'] === 'arm64' ? '/usr/share/AAVMF' : '/usr/share/edk2/ovmf';
  const options = [
    ['--qemu-timeout', `${240 + Math.floor(random() * 120)}s`],
    ['--name', name],
    ['--uid', uid],
    ['--namespace', namespace],
    ['--kubevirt-share-dir', '/var/run/kubevirt'],
    ['--ephemeral-disk-dir', '/var/run/kubevirt-ephemeral-disks'],
    ['--container-disk-dir', '/var/run/kubevirt/container-disks'],
    ['--grace-period-seconds', String(gracePeriodOf(vmi) + GRACE_PADDING_SECONDS)],
    ['--hook-sidecars', '0'],
    ['--ovmf-path', ovmf],
    ['--disk-memory-limit', '2097152000'],
    ['--hypervisor', 'kvm'],
    ['--run-as-nonroot', '--image-volume', '--libvirt-hook-server-and-client', '--upgrade-ordinal-ifaces'],
    useEmulation ? ['--allow-emulation'] : [],
  ];
  return ['/usr/bin/virt-launcher-monitor', ...options.flat()];
}

function portsOf(vmi: VirtualMachineInstance): Json[] {
  return (domainOf(vmi).devices.interfaces ?? []).flatMap(({ ports = [] }) =>
    ports.map(({ name, protocol = 'TCP', port }) => ({
      ...(name === undefined ? {} : { name }),
      protocol,
      containerPort: port,
    })),
  );
}

function probeOf(
  { spec, metadata }: VirtualMachineInstance,
  kind: 'readinessProbe' | 'livenessProbe',
): JsonObject | undefined {
  const probe = spec[kind] as JsonObject | undefined;
  if (probe === undefined) return undefined;
  const { guestAgentPing, initialDelaySeconds, timeoutSeconds, exec, ...rest } = probe;
  const seconds = Number(timeoutSeconds ?? 0);
  const domainName = `${metadata.namespace ?? ''}_${metadata.name ?? ''}`;
  const prober = ['virt-probe', '--domainName', domainName, '--timeoutSeconds', String(seconds)];
  const command = exec === undefined ? undefined : ((exec as JsonObject)['command'] as string[]);
  const [first = '', ...others] = command ?? [];
  const wrapped =
    guestAgentPing === undefined ? [...prober, '--command', first, '--', ...others] : [...prober, '--guestAgentPing'];
  return {
    ...rest,
    ...(guestAgentPing === undefined && command === undefined ? {} : { exec: { command: wrapped } }),
    // The probe runs in the guest: one more second for the call.
    timeoutSeconds: guestAgentPing === undefined && command === undefined ? seconds || 1 : seconds + 1,
    initialDelaySeconds: Number(initialDelaySeconds ?? 0) + LIBVIRT_STARTUP_SECONDS,
  };
}

const guaranteed = (vmi: VirtualMachineInstance): boolean =>
  isCpuDedicated(domainOf(vmi)) || wantsGuaranteed(domainOf(vmi));

/** `consoleLogContainer` returns a sidecar that writes the guest's serial console to its own log. */
export function consoleLogContainer(vmi: VirtualMachineInstance): JsonObject | undefined {
  const { autoattachSerialConsole, logSerialConsole } = domainOf(vmi).devices;
  if (autoattachSerialConsole === false || logSerialConsole === false) return undefined;
  const limits = { cpu: '15m', memory: '60M' };
  return {
    name: 'guest-console-log',
    image: LAUNCHER_IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command: ['/usr/bin/virt-tail'],
    args: ['--logfile', `/var/run/kubevirt-private/${vmi.metadata.uid ?? ''}/virt-serial0-log`],
    env: [{ name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: '2' }],
    resources: { limits, requests: guaranteed(vmi) ? limits : { cpu: '5m', memory: '35M' } },
    restartPolicy: 'Always',
    volumeMounts: [{ name: 'private', mountPath: '/var/run/kubevirt-private', readOnly: true }],
    securityContext: unprivileged,
  };
}

/** `imageContainer` returns an init container that pulls the image of a container disk and ends: its status contains the digest. */
export function imageContainer(vmi: VirtualMachineInstance, { name, image, pullPolicy }: DiskImage): JsonObject {
  const limits = { cpu: '10m', memory: '40M' };
  const requests = guaranteed(vmi) ? limits : { cpu: '1m', memory: '1M' };
  return {
    name: `volume${name}`,
    image,
    ...(pullPolicy === undefined ? {} : { imagePullPolicy: pullPolicy }),
    command: ['/container-disk-binary/usr/bin/container-disk'],
    args: ['--no-op'],
    resources: { limits, requests: { ...requests, 'ephemeral-storage': '50M' } },
    volumeMounts: [{ name: 'launcher-volume', mountPath: '/container-disk-binary', readOnly: true }],
    securityContext: unprivileged,
  };
}
