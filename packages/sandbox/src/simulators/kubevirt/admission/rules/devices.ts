/** Devices that are neither disks nor interfaces. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, numberAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { devicesOf, domainOf, isOn } from './amounts.ts';

const IO_THREADS = ['shared', 'auto', 'supplementalPool'];
const PANIC_MODELS = ['hyperv', 'isa', 'pvpanic'];
/** Volumes that hold configuration; the other volumes that can back a file system are storage. */
const CONFIG_VOLUMES = ['configMap', 'secret', 'serviceAccount', 'downwardAPI'];
const STORAGE_VOLUMES = ['persistentVolumeClaim', 'dataVolume'];

export function inputCauses(field: string, spec: JsonObject): Cause[] {
  return listAt(devicesOf(spec), 'inputs').flatMap((input, index) => {
    const at = `${field}.domain.devices.inputs[${index}]`;
    const causes: Cause[] = [];
    if (!['', 'virtio', 'usb'].includes(textAt(input, 'bus')))
      causes.push(invalid('Input device can have only virtio or usb bus.', `${at}.bus`));
    if (textAt(input, 'type') !== 'tablet')
      causes.push(invalid('Input device can have only tablet type.', `${at}.type`));
    return causes;
  });
}

export function ioThreadCauses(field: string, spec: JsonObject): Cause[] {
  const domain = domainOf(spec);
  if (!isSet(domain, 'ioThreadsPolicy')) return [];
  const policy = textAt(domain, 'ioThreadsPolicy');
  if (!IO_THREADS.includes(policy))
    return [invalid(`Invalid IOThreadsPolicy (${policy})`, `${field}.domain.ioThreadsPolicy`)];
  if (policy !== 'supplementalPool' || numberAt(objectAt(domain, 'ioThreads'), 'supplementalPoolThreadCount') >= 1)
    return [];
  const text = 'the number of iothreads needs to be set and positive for the dedicated policy';
  return [invalid(text, `${field}.domain.ioThreads.count`)];
}

export function deviceCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  return [
    ...displayCauses(field, spec),
    ...hostDeviceCauses(field, spec, config),
    ...soundCauses(field, spec),
    ...vsockCauses(field, spec, config),
    ...reservationCauses(field, spec, config),
    ...metricsCauses(field, spec, config),
    ...filesystemCauses(field, spec, config),
    ...videoCauses(field, spec),
    ...panicCauses(field, spec),
  ];
}

function displayCauses(field: string, spec: JsonObject): Cause[] {
  const framebuffers = listAt(devicesOf(spec), 'gpus').filter((gpu) => {
    const display = objectAt(objectAt(gpu, 'virtualGPUOptions'), 'display');
    const ram = objectAt(display, 'ramFB');
    return isOn(display) && (ram === undefined || ram['enabled'] === true);
  });
  if (framebuffers.length <= 1) return [];
  return [invalid('configuring multiple displays with ramfb is not valid ', `${field}.GPUs`)];
}

function hostDeviceCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  if (!isSet(devicesOf(spec), 'hostDevices') || config.featureGates.has('HostDevices')) return [];
  return [invalid('Host Devices feature gate is not enabled in kubevirt-config', `${field}.HostDevices`)];
}

function soundCauses(field: string, spec: JsonObject): Cause[] {
  const sound = objectAt(devicesOf(spec), 'sound');
  if (sound === undefined) return [];
  const causes: Cause[] = [];
  if (!['', 'ich9', 'ac97'].includes(textAt(sound, 'model')))
    causes.push(invalid("Sound device type is not supported. Options: 'ich9' or 'ac97'", `${field}.Sound`));
  if (textAt(sound, 'name') === '') causes.push(invalid('Sound device requires a name field.', `${field}.Sound`));
  return causes;
}

function vsockCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  if (devicesOf(spec)['autoattachVSOCK'] !== true || config.featureGates.has('VSOCK')) return [];
  const text = 'VSOCK feature gate is not enabled in kubevirt-config';
  return [invalid(text, `${field}.domain.devices.autoattachVSOCK`)];
}

function reservationCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  const reserves = listAt(devicesOf(spec), 'disks').some((disk) => objectAt(disk, 'lun')?.['reservation'] === true);
  if (!reserves || config.featureGates.has('PersistentReservation')) return [];
  const text = 'persistent reservation is not enabled in kubevirt config';
  return [invalid(text, `${field}.domain.devices.disks.luns.reservation`)];
}

function metricsCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  if (!isSet(devicesOf(spec), 'downwardMetrics') || config.featureGates.has('DownwardMetrics')) return [];
  const text = 'downwardMetrics virtio serial is not allowed: DownwardMetrics feature gate is not enabled';
  return [invalid(text, `${field}.domain.devices.downwardMetrics`)];
}

function filesystemCauses(field: string, spec: JsonObject, { featureGates }: ClusterConfig): Cause[] {
  const volumes = new Map(listAt(spec, 'volumes').map((volume) => [textAt(volume, 'name'), volume]));
  const at = `${field}.domain.devices.filesystems`;
  const old = featureGates.has('ExperimentalVirtiofsSupport');
  return listAt(devicesOf(spec), 'filesystems').flatMap((filesystem) => {
    const volume = volumes.get(textAt(filesystem, 'name'));
    const refused = (sources: readonly string[], gate: string, called: string): Cause[] => {
      if (old || featureGates.has(gate) || !sources.some((source) => isSet(volume, source))) return [];
      return [invalid(`virtiofs is not allowed: virtiofs feature gate is not enabled for ${called}`, at)];
    };
    return [
      ...refused(CONFIG_VOLUMES, 'EnableVirtioFsConfigVolumes', 'config volumes'),
      ...refused(STORAGE_VOLUMES, 'EnableVirtioFsStorageVolumes', 'PVC'),
    ];
  });
}

function videoCauses(field: string, spec: JsonObject): Cause[] {
  const devices = devicesOf(spec);
  if (!isSet(devices, 'video') || devices['autoattachGraphicsDevice'] !== false) return [];
  const text = 'Video configuration is not allowed when autoattachGraphicsDevice is set to false';
  return [invalid(text, `${field}.video`)];
}

function panicCauses(field: string, spec: JsonObject): Cause[] {
  const at = `${field}.domain.devices.panicDevices`;
  return listAt(devicesOf(spec), 'panicDevices').flatMap((device, index) => {
    const model = textAt(device, 'model');
    if (model === '' || PANIC_MODELS.includes(model)) return [];
    return [invalid(`invalid PanicDeviceModel(${model})`, `${at}[${index}].model`)];
  });
}
