/** Access credentials: each needs one source and one propagation method. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, objectAt, textsAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, type Cause } from '../cause.ts';

/** Propagation methods of an SSH key that need a volume, with the source of that volume. */
const CARRIED: readonly (readonly [string, string])[] = [
  ['noCloud', 'cloudInitNoCloud'],
  ['configDrive', 'cloudInitConfigDrive'],
];

/** @param field The path of the list. */
export function accessCredentialCauses(
  field: string,
  credentials: readonly JsonObject[],
  volumes: readonly JsonObject[],
): Cause[] {
  return credentials.flatMap((credential, index) => {
    const at = `${field}[${index}]`;
    const kinds = ['sshPublicKey', 'userPassword'].filter((kind) => isSet(credential, kind));
    const causes = [
      ...sshCauses(at, objectAt(credential, 'sshPublicKey'), volumes),
      ...passwordCauses(at, objectAt(credential, 'userPassword')),
    ];
    if (kinds.length !== 1) causes.push(invalid(`${at} must have exactly one access credential type set`, at));
    return causes;
  });
}

function sshCauses(at: string, key: JsonObject | undefined, volumes: readonly JsonObject[]): Cause[] {
  if (key === undefined) return [];
  const method = objectAt(key, 'propagationMethod');
  const field = `${at}.sshPublicKey.propagationMethod`;
  const causes: Cause[] = [];
  for (const [way, source] of CARRIED) {
    if (isSet(method, way) && !volumes.some((volume) => isSet(volume, source))) {
      const text = `${at} requires a ${way} volume to exist when the ${way} propagationMethod is in use.`;
      causes.push(invalid(text, field));
    }
  }
  const agent = objectAt(method, 'qemuGuestAgent');
  if (agent !== undefined && textsAt(agent, 'users').length === 0) {
    const text = `${at} requires at least one user to be present in the users list`;
    causes.push(invalid(text, `${field}.qemuGuestAgent.users`));
  }
  const methods = ['noCloud', 'configDrive', 'qemuGuestAgent'].filter((way) => isSet(method, way)).length;
  return [...causes, ...countCauses(at, 'sshPublicKey', key, methods)];
}

function passwordCauses(at: string, password: JsonObject | undefined): Cause[] {
  if (password === undefined) return [];
  const methods = isSet(objectAt(password, 'propagationMethod'), 'qemuGuestAgent') ? 1 : 0;
  return countCauses(at, 'userPassword', password, methods);
}

function countCauses(at: string, kind: string, credential: JsonObject, methods: number): Cause[] {
  const causes: Cause[] = [];
  if (!isSet(objectAt(credential, 'source'), 'secret'))
    causes.push(invalid(`${at} must have exactly one source set`, `${at}.${kind}.source`));
  if (methods !== 1)
    causes.push(invalid(`${at} must have exactly one propagationMethod set`, `${at}.${kind}.propagationMethod`));
  return causes;
}
