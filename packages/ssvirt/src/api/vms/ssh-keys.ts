/** Public keys as lines of authorized_keys. A VM with an invalid key would accept no log-in. */
import { badRequest } from '../errors.ts';

const types = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
] as const;

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Throws BAD_REQUEST with the field and the rule. The key is not repeated: it may be a private key, sent by mistake.
 */
export function checkSshKey(field: string, line: string): void {
  if (/[^\P{Cc}\t]/u.test(line) || !line.isWellFormed())
    throw badRequest(`${field}: is more than one line; give one key per entry.`);
  if (line.includes('PRIVATE KEY'))
    throw badRequest(`${field}: is a private key; give the public key, and keep the private one secret.`);
  const [type = '', key = ''] = line.trim().split(/[ \t]+/);
  if (!types.some((known) => known === type))
    throw badRequest(
      `${field}: does not begin with a key type; give type, key and comment. The type is one of ${types.join(', ')}.`,
    );
  if (!base64.test(key) || typeIn(Buffer.from(key, 'base64')) !== type)
    throw badRequest(
      `${field}: the text after ${type} is not a key of that type; copy the whole line of the public key file.`,
    );
}

/** A key starts with its own type after a length of four bytes; more must follow. */
function typeIn(key: Buffer): string | undefined {
  if (key.length < 4) return undefined;
  const end = 4 + key.readUInt32BE(0);
  return key.length > end + 4 ? key.toString('latin1', 4, end) : undefined;
}
