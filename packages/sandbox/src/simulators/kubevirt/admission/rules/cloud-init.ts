/** Cloud-init data: exactly one source, and a limited size if it is inline. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { readBase64 } from '../../../../objects/kinds/values/go-base64.ts';
import { invalid, type Cause } from '../cause.ts';

/** Larger data would bloat the object for every watcher. */
const MAX_BYTES = 2048;

/** @param at The path of the volume. */
export function cloudInitCauses(at: string, volume: JsonObject): Cause[] {
  const source = ['cloudInitNoCloud', 'cloudInitConfigDrive'].find((kind) => isSet(volume, kind));
  if (source === undefined) return [];
  const data = objectAt(volume, source) ?? {};
  const field = `${at}.${source}`;
  const causes: Cause[] = [];
  const user = read(data, 'userData', field, source, causes);
  if (user.sources > 1) causes.push(invalid(`${field} must have only one userdatasource set.`, field));
  if (user.bytes > MAX_BYTES) {
    const text = `${field} userdata exceeds ${MAX_BYTES} byte limit. Should use UserDataSecretRef for larger data.`;
    causes.push(invalid(text, field));
  }
  const network = read(data, 'networkData', field, source, causes);
  if (network.sources > 1) causes.push(invalid(`${field} must have only one networkdata source set.`, field));
  if (network.bytes > MAX_BYTES) {
    const text = `${field} networkdata exceeds ${MAX_BYTES} byte limit. Should use NetworkDataSecretRef for larger data.`;
    causes.push(invalid(text, field));
  }
  if (user.sources + network.sources === 0) {
    const text = `${field} must have at least one userdatasource or one networkdatasource set.`;
    causes.push(invalid(text, field));
  }
  return causes;
}

interface Read {
  readonly sources: number;
  readonly bytes: number;
}

function read(
  data: JsonObject,
  name: 'userData' | 'networkData',
  field: string,
  source: string,
  causes: Cause[],
): Read {
  // The only field whose name does not follow the pattern of the others.
  const secret = name === 'userData' ? 'secretRef' : 'networkDataSecretRef';
  const [plain, encoded] = [textAt(data, name), textAt(data, `${name}Base64`)];
  let sources = textAt(objectAt(data, secret), 'name') === '' ? 0 : 1;
  let bytes = 0;
  if (encoded !== '') {
    sources++;
    const decoded = readBase64(encoded);
    const at = `${field}.${name}Base64`;
    if (typeof decoded === 'number')
      causes.push(invalid(`${at}.${source}.${name}Base64 is not a valid base64 value.`, at));
    else bytes = Buffer.from(decoded, 'base64').length;
  }
  if (plain !== '') {
    sources++;
    bytes = Buffer.byteLength(plain);
  }
  return { sources, bytes };
}
