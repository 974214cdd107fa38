/**
 * Reads the parameters of an order. An absent parameter has AAP's default; a present one is checked, and all problems
 * are reported at once.
 */
import { readImage } from '../image.ts';
import { readJsonObject } from './json-object.ts';
import type { OrderParameters } from './order-parameters.ts';
import type { ParameterProblem, Read, Reader } from './parameter-problem.ts';
import { parameterWarnings } from './parameter-warnings.ts';
import { readPorts, whyAapRefusesPorts } from './ports.ts';
import { diskLimit, memoryLimit, readCores, readSize } from './sizes.ts';
import { readSshKey } from './ssh-key.ts';
import { readUserData } from './user-data.ts';

export type { ExposedPort, OrderParameters } from './order-parameters.ts';
export { problemOf, type ParameterProblem } from './parameter-problem.ts';

export type ReadParameters =
  | { readonly parameters: OrderParameters; readonly warnings: readonly string[] }
  | { readonly problems: readonly ParameterProblem[] };

const names = {
  cpuCores: 'cpu_cores',
  memory: 'memory',
  diskSize: 'disk_size',
  image: 'image_source',
  userData: 'cloud_init_config',
  sshPublicKey: 'ssh_public_key',
  ports: 'exposed_ports',
} as const satisfies Readonly<Record<keyof OrderParameters, string>>;

export const parameterNames: readonly string[] = Object.values(names);

/** AAP's defaults. */
export const defaultParameters: OrderParameters = {
  cpuCores: 2,
  memory: '2Gi',
  diskSize: '10Gi',
  image: 'docker://quay.io/containerdisks/fedora:latest',
  userData: '#cloud-config',
  ports: [{ port: 22, protocol: 'TCP' }],
};

export function readParameters(text: string | undefined): ReadParameters {
  const given = readJsonObject(text ?? '');
  if ('problem' in given) return { problems: [given.problem] };
  const problems: ParameterProblem[] = [];
  const warnings = [...parameterWarnings(given, parameterNames)];
  const read = <T>(name: string, usual: T, reader: Reader<T>): T => {
    const found = given.values.get(name);
    if (found === undefined) return usual;
    const result = reader(name, found.value, found.written);
    if ('problem' in result) problems.push(result.problem);
    else if (result.warning !== undefined) warnings.push(result.warning);
    return 'value' in result ? result.value : usual;
  };
  const cpuCores = read(names.cpuCores, defaultParameters.cpuCores, readCores);
  const memory = read(names.memory, defaultParameters.memory, readMemory);
  const diskSize = read(names.diskSize, defaultParameters.diskSize, readDiskSize);
  const image = read(names.image, defaultParameters.image, readImage);
  const userData = read(names.userData, defaultParameters.userData, readUserData);
  const sshPublicKey = read(names.sshPublicKey, undefined, readSshKey);
  const ports = read(names.ports, defaultParameters.ports, readPorts);
  if (problems.length > 0) return { problems };
  const key = sshPublicKey === undefined ? {} : { sshPublicKey };
  return { parameters: { cpuCores, memory, diskSize, image, userData, ...key, ports }, warnings };
}

/** Why AAP refuses parameters that the controller accepts. Everything else is for AAP itself to check. */
export function aapProblem(text: string | undefined): ParameterProblem | undefined {
  const given = readJsonObject(text ?? '');
  return 'problem' in given ? undefined : whyAapRefusesPorts(names.ports, given.values.get(names.ports)?.value);
}

function readMemory(field: string, value: unknown, written: string): Read<string> {
  return readSize(field, value, written, memoryLimit);
}

function readDiskSize(field: string, value: unknown, written: string): Read<string> {
  return readSize(field, value, written, diskLimit);
}
