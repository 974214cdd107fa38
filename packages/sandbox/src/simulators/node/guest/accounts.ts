/**
 * The accounts of a simulated guest: those that its cloud-init defines. An account without a password accepts any; if
 * no account is defined, any login is accepted.
 */
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { listAt, textAt } from '../../../objects/kinds/values/fields.ts';
import { parseYaml } from '../../../values/yaml.ts';
import type { VirtualMachineInstance } from '../../kubevirt/objects.ts';

/** By name; undefined accepts any password. */
export type Accounts = ReadonlyMap<string, string | undefined>;

/** `userData` returns the user data of a VMI; Secrets are not read. */
export function userData({ spec }: VirtualMachineInstance): string | undefined {
  for (const volume of spec.volumes ?? []) {
    const source = (volume['cloudInitNoCloud'] ?? volume['cloudInitConfigDrive']) as JsonObject | undefined;
    if (source === undefined) continue;
    const plain = textAt(source, 'userData');
    if (plain !== '') return plain;
    const encoded = textAt(source, 'userDataBase64');
    if (encoded !== '') return Buffer.from(encoded, 'base64').toString('utf8');
  }
  return undefined;
}

export function accountsOf(text: string | undefined, defaultUser: string): Accounts {
  const config = text === undefined ? undefined : read(text);
  const accounts = new Map<string, string | undefined>();
  if (config === undefined) return accounts;
  const user = textAt(config, 'user') || defaultUser;
  const password = config['password'];
  if (typeof password === 'string' || typeof password === 'number') accounts.set(user, String(password));
  for (const one of listAt(config, 'users')) {
    const name = textAt(one, 'name');
    const secret = textAt(one, 'plain_text_passwd');
    if (name !== '') accounts.set(name, secret === '' ? undefined : secret);
  }
  for (const [name, secret] of passwords(config['chpasswd'])) accounts.set(name, secret);
  return accounts;
}

function* passwords(chpasswd: Json | undefined): Generator<readonly [string, string]> {
  if (!isObject(chpasswd)) return;
  for (const one of listAt(chpasswd, 'users')) yield [textAt(one, 'name'), textAt(one, 'password')];
  const list = chpasswd['list'];
  const lines = Array.isArray(list) ? list : typeof list === 'string' ? list.split('\n') : [];
  for (const line of lines) {
    const [name = '', secret] = String(line).trim().split(':');
    if (name !== '' && secret !== undefined) yield [name, secret];
  }
}

/** Content that a real guest would not parse either is ignored. */
function read(text: string): JsonObject | undefined {
  if (!text.startsWith('#cloud-config')) return undefined;
  try {
    const value = parseYaml(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function mayLogIn(accounts: Accounts, user: string, password: string): boolean {
  if (accounts.size === 0) return user !== '';
  if (!accounts.has(user)) return false;
  const wanted = accounts.get(user);
  return wanted === undefined || wanted === password;
}
