/** Validation of containers: names, images, ports, mounts, resources, security context. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { isValidPortName } from '../../schema/names.ts';
import { label, oneOf, portNumber } from '../errors.ts';
import { isSet, listAt, numberAt, objectAt, textAt, textMapAt, textsAt, valueAt } from '../values/fields.ts';
import { internal } from '../values/internal.ts';
import { envErrors, envFromErrors } from './pod-env.ts';
import { lifecycleErrors, probeErrors } from './pod-probes.ts';
import { userIDErrors } from './pod-security.ts';
import { localPathErrors } from './pod-volumes.ts';
import { compare, containerResourceNameErrors, isHugePages, isNative, quantityErrors } from '../values/quantities.ts';

export interface PodParts {
  /** The valid volumes by name. */
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly gracePeriod: number | undefined;
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const NOT_FOR_INIT = 'may not be set for init containers without restartPolicy=Always';

export function containersErrors(containers: JsonObject[], parts: PodParts, path: string): FieldError[] {
  if (containers.length === 0) return [fieldError.required(path, '')];
  const seen = new Set<string>();
  const errors = containers.flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const name = textAt(container, 'name');
    const found = commonErrors(container, parts, at);
    if (seen.has(name)) found.push(fieldError.duplicate(`${at}.name`, name));
    seen.add(name);
    return [...found, ...runErrors(container, parts, at), ...restartErrors(container, at)];
  });
  return [...errors, ...hostPortErrors(containers, path)];
}

export function initContainersErrors(
  init: JsonObject[],
  regular: JsonObject[],
  parts: PodParts,
  path: string,
): FieldError[] {
  const seen = new Set(regular.map((container) => textAt(container, 'name')));
  return init.flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const name = textAt(container, 'name');
    const errors = [...commonErrors(container, parts, at), ...restartErrors(container, at)];
    if (seen.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name));
    else if (name !== '') seen.add(name);
    errors.push(...hostPortErrors([container], path));
    if (container['restartPolicy'] === 'Always') return [...errors, ...runErrors(container, parts, at)];
    const misplaced = ['lifecycle', ...PROBES].filter((key) => isSet(container, key));
    return [...errors, ...misplaced.map((key) => fieldError.forbidden(`${at}.${key}`, NOT_FOR_INIT))];
  });
}

function restartErrors(container: JsonObject, path: string): FieldError[] {
  if (!isSet(container, 'restartPolicy')) return [];
  return oneOf(container, 'restartPolicy', path, ['Always', 'Never', 'OnFailure']);
}

function runErrors(container: JsonObject, parts: PodParts, path: string): FieldError[] {
  return [
    ...lifecycleErrors(objectAt(container, 'lifecycle'), parts.gracePeriod, `${path}.lifecycle`),
    ...PROBES.flatMap((key) => probeErrors(objectAt(container, key), key, `${path}.${key}`)),
  ];
}

function commonErrors(container: JsonObject, parts: PodParts, path: string): FieldError[] {
  const name = textAt(container, 'name');
  return [
    ...(name === '' ? [fieldError.required(`${path}.name`, '')] : label(name, `${path}.name`)),
    ...(textAt(container, 'image') === '' ? [fieldError.required(`${path}.image`, '')] : []),
    ...oneOf(container, 'terminationMessagePolicy', path, ['File', 'FallbackToLogsOnError']),
    ...portErrors(listAt(container, 'ports'), `${path}.ports`),
    ...envErrors(listAt(container, 'env'), `${path}.env`),
    ...envFromErrors(listAt(container, 'envFrom'), `${path}.envFrom`),
    ...mountErrors(container, parts.volumes, `${path}.volumeMounts`),
    ...deviceErrors(container, parts.volumes, `${path}.volumeDevices`),
    ...oneOf(container, 'imagePullPolicy', path, ['Always', 'IfNotPresent', 'Never']),
    ...resourceErrors(objectAt(container, 'resources'), `${path}.resources`),
    ...securityErrors(objectAt(container, 'securityContext'), `${path}.securityContext`),
  ];
}

function portErrors(ports: JsonObject[], path: string): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, i) => {
    const at = `${path}[${i}]`;
    const name = textAt(port, 'name');
    const errors = name === '' ? [] : isValidPortName(name).map((why) => fieldError.invalid(`${at}.name`, name, why));
    if (name !== '' && errors.length === 0 && seen.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name));
    seen.add(name);
    const number = numberAt(port, 'containerPort');
    if (number === 0) errors.push(fieldError.required(`${at}.containerPort`, ''));
    else errors.push(...portNumber(number, `${at}.containerPort`));
    const host = numberAt(port, 'hostPort');
    if (host !== 0) errors.push(...portNumber(host, `${at}.hostPort`));
    return [...errors, ...oneOf(port, 'protocol', at, ['SCTP', 'TCP', 'UDP'])];
  });
}

function hostPortErrors(containers: JsonObject[], path: string): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap((container, i) =>
    listAt(container, 'ports').flatMap((port, j) => {
      const host = numberAt(port, 'hostPort');
      if (host === 0) return [];
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${host}`;
      const errors = seen.has(key) ? [fieldError.duplicate(`${path}[${i}].ports[${j}].hostPort`, key)] : [];
      seen.add(key);
      return errors;
    }),
  );
}

function mountErrors(container: JsonObject, volumes: ReadonlyMap<string, JsonObject>, path: string): FieldError[] {
  const devices = listAt(container, 'volumeDevices');
  const points = new Set<string>();
  return listAt(container, 'volumeMounts').flatMap((mount, i) => {
    const at = `${path}[${i}]`;
    const name = textAt(mount, 'name');
    const point = textAt(mount, 'mountPath');
    const sub = textAt(mount, 'subPath');
    const expression = textAt(mount, 'subPathExpr');
    const errors: FieldError[] = [];
    if (name === '') errors.push(fieldError.required(`${at}.name`, ''));
    if (!volumes.has(name)) errors.push(fieldError.notFound(`${at}.name`, name));
    if (point === '') errors.push(fieldError.required(`${at}.mountPath`, ''));
    if (points.has(point)) errors.push(fieldError.invalid(`${at}.mountPath`, point, 'must be unique'));
    points.add(point);
    if (devices.some((device) => textAt(device, 'name') === name)) {
      errors.push(fieldError.invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (devices.some((device) => textAt(device, 'devicePath') === point)) {
      errors.push(fieldError.invalid(`${at}.mountPath`, point, 'must not already exist as a path in volumeDevices'));
    }
    // Kubernetes reports these two without the index.
    if (sub !== '') errors.push(...localPathErrors(sub, `${path}.subPath`));
    if (expression !== '' && sub !== '') {
      const why = 'subPathExpr and subPath are mutually exclusive';
      errors.push(fieldError.invalid(`${at}.subPathExpr`, expression, why));
    }
    if (expression !== '') errors.push(...localPathErrors(expression, `${path}.subPathExpr`));
    return [...errors, ...propagationErrors(mount, container, path)];
  });
}

function propagationErrors(mount: JsonObject, container: JsonObject, path: string): FieldError[] {
  const modes = ['Bidirectional', 'HostToContainer', 'None'];
  if (!isSet(mount, 'mountPropagation')) return [];
  const errors = oneOf(mount, 'mountPropagation', path, modes);
  const privileged = objectAt(container, 'securityContext')?.['privileged'] === true;
  if (mount['mountPropagation'] !== 'Bidirectional' || privileged) return errors;
  const why = 'Bidirectional mount propagation is available only to privileged containers';
  return [...errors, fieldError.forbidden(`${path}.mountPropagation`, why)];
}

function deviceErrors(container: JsonObject, volumes: ReadonlyMap<string, JsonObject>, path: string): FieldError[] {
  const mounts = listAt(container, 'volumeMounts');
  const names = new Set<string>();
  const paths = new Set<string>();
  return listAt(container, 'volumeDevices').flatMap((device, i) => {
    const at = `${path}[${i}]`;
    const name = textAt(device, 'name');
    const point = textAt(device, 'devicePath');
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    const wrong = (key: string, value: string, why: string): void => {
      errors.push(fieldError.invalid(`${at}.${key}`, value, why));
    };
    if (name === '') errors.push(fieldError.required(`${at}.name`, ''));
    if (names.has(name)) wrong('name', name, 'must be unique');
    const block = isSet(volume, 'persistentVolumeClaim') || isSet(volume, 'ephemeral');
    const only = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
    if (volume !== undefined && !block) wrong('name', name, only);
    if (volume === undefined) errors.push(fieldError.notFound(`${at}.name`, name));
    if (point === '') errors.push(fieldError.required(`${at}.devicePath`, ''));
    if (paths.has(point)) wrong('devicePath', point, 'must be unique');
    if (point.split('/').includes('..')) wrong('devicePath', point, "can not contain backsteps ('..')");
    else paths.add(point);
    if (mounts.some((mount) => textAt(mount, 'name') === name))
      wrong('name', name, 'must not already exist in volumeMounts');
    if (mounts.some((mount) => textAt(mount, 'mountPath') === point)) {
      wrong('devicePath', point, 'must not already exist as a path in volumeMounts');
    }
    names.add(name);
    return errors;
  });
}

export function resourceErrors(resources: JsonObject | undefined, path: string): FieldError[] {
  const limits = textMapAt(resources, 'limits');
  const requests = textMapAt(resources, 'requests');
  const each = (amounts: { [name: string]: string }, key: string): FieldError[] =>
    Object.entries(amounts).flatMap(([name, value]) => {
      const field = `${path}.${key}[${name}]`;
      return [...containerResourceNameErrors(name, field), ...quantityErrors(name, value, field)];
    });
  const errors = each(limits, 'limits');
  for (const [name, value] of Object.entries(requests)) {
    errors.push(...each({ [name]: value }, 'requests'), ...requestErrors(name, value, valueAt(limits, name), path));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(fieldError.forbidden(path, 'HugePages require cpu or memory'));
  }
  return errors;
}

function requestErrors(name: string, value: string, limit: string | undefined, path: string): FieldError[] {
  const overcommit = isNative(name) && !isHugePages(name);
  if (limit === undefined) {
    const why = 'Limit must be set for non overcommitable resources';
    return overcommit ? [] : [fieldError.required(`${path}.limits`, why)];
  }
  const order = compare(value, limit);
  if (order !== 0 && !overcommit) {
    return [fieldError.invalid(`${path}.requests`, value, `must be equal to ${name} limit of ${limit}`)];
  }
  if (order <= 0) return [];
  return [fieldError.invalid(`${path}.requests`, value, `must be less than or equal to ${name} limit of ${limit}`)];
}

function securityErrors(context: JsonObject | undefined, path: string): FieldError[] {
  if (context === undefined) return [];
  const errors = ['runAsUser', 'runAsGroup'].flatMap((key) => userIDErrors(context, key, path));
  if (context['allowPrivilegeEscalation'] !== false) return errors;
  const wrong = (what: string): FieldError =>
    fieldError.invalid(
      path,
      internal('SecurityContext', context),
      `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
    );
  if (context['privileged'] === true) errors.push(wrong('`privileged` to true'));
  const added = textsAt(objectAt(context, 'capabilities'), 'add');
  if (added.includes('CAP_SYS_ADMIN')) errors.push(wrong('`capabilities.Add` CAP_SYS_ADMIN'));
  return errors;
}
