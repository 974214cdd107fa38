/** Validation of probes and lifecycle hooks. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { nonNegativeFields, portNumberOrName } from '../errors.ts';
import { isSet, listAt, numberAt, objectAt, textAt, textsAt } from '../values/fields.ts';

const COUNTERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];
const HEADER = /^[-A-Za-z0-9]+$/;
const HEADER_ERROR =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

export function probeErrors(probe: JsonObject | undefined, kind: string, path: string): FieldError[] {
  if (probe === undefined) return [];
  const errors = [
    ...handlerErrors(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], undefined, path),
    ...nonNegativeFields(probe, COUNTERS, path),
  ];
  const grace = numberAt(probe, 'terminationGracePeriodSeconds');
  const field = `${path}.terminationGracePeriodSeconds`;
  if (isSet(probe, 'terminationGracePeriodSeconds') && grace <= 0) {
    errors.push(fieldError.invalid(field, grace, 'must be greater than 0'));
  }
  if (kind === 'readinessProbe') {
    if (isSet(probe, 'terminationGracePeriodSeconds')) {
      errors.push(fieldError.invalid(field, grace, 'must not be set for readinessProbes'));
    }
  } else if (numberAt(probe, 'successThreshold') !== 1) {
    errors.push(fieldError.invalid(`${path}.successThreshold`, numberAt(probe, 'successThreshold'), 'must be 1'));
  }
  return errors;
}

export function lifecycleErrors(
  lifecycle: JsonObject | undefined,
  grace: number | undefined,
  path: string,
): FieldError[] {
  return ['postStart', 'preStop'].flatMap((key) => {
    const hook = objectAt(lifecycle, key);
    return hook === undefined
      ? []
      : handlerErrors(hook, ['exec', 'httpGet', 'tcpSocket', 'sleep'], grace, `${path}.${key}`);
  });
}

function handlerErrors(holder: JsonObject, kinds: string[], grace: number | undefined, path: string): FieldError[] {
  const given = kinds.filter((kind) => isSet(holder, kind));
  if (given.length === 0) return [fieldError.required(path, 'must specify a handler type')];
  return given.flatMap((kind, i) =>
    i === 0
      ? actionErrors(kind, objectAt(holder, kind) ?? {}, grace, `${path}.${kind}`)
      : [fieldError.forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type')],
  );
}

function actionErrors(kind: string, action: JsonObject, grace: number | undefined, path: string): FieldError[] {
  switch (kind) {
    case 'exec':
      return textsAt(action, 'command').length === 0 ? [fieldError.required(`${path}.command`, '')] : [];
    case 'httpGet':
      return httpErrors(action, path);
    case 'sleep': {
      const seconds = numberAt(action, 'seconds');
      if (grace === undefined || (seconds >= 0 && seconds <= grace)) return [];
      const why = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
      return [fieldError.invalid(path, seconds, why)];
    }
    default:
      return portNumberOrName(action['port'], `${path}.port`);
  }
}

function httpErrors(action: JsonObject, path: string): FieldError[] {
  const errors = textAt(action, 'path') === '' ? [fieldError.required(`${path}.path`, '')] : [];
  errors.push(...portNumberOrName(action['port'], `${path}.port`));
  const scheme = textAt(action, 'scheme');
  if (scheme !== 'HTTP' && scheme !== 'HTTPS')
    errors.push(fieldError.notSupported(`${path}.scheme`, scheme, ['HTTP', 'HTTPS']));
  for (const header of listAt(action, 'httpHeaders')) {
    const name = textAt(header, 'name');
    if (!HEADER.test(name)) errors.push(fieldError.invalid(`${path}.httpHeaders`, name, HEADER_ERROR));
  }
  return errors;
}
