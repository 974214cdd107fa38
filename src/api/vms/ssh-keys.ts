/** Public keys as a line of authorized_keys has them. A bad one would make a machine that nobody can log in to. */
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

/** Throws BAD_REQUEST with the field and the rule. The key is not repeated: what was sent by mistake may be the private one. */
export function checkSshKey(field: string, line: string): void {
  if (/[^\P{Cc}\t]/u.test(line) || !line.isWellFormed())
    throw badRequest(`${field}: is more than one line; give one key in each entry.`);
  if (line.includes('PRIVATE KEY'))
    throw badRequest(`${field}: is a private key; give the public one, and keep this to yourself.`);
  const [type = '', key = ''] = line.trim().split(/[ \t]+/);
  if (!types.some((known) => known === type))
    throw badRequest(
      `${field}: does not begin with a type of key; give type, key and comment, the type one of ${types.join(', ')}.`,
    );
  if (!base64.test(key) || typeIn(Buffer.from(key, 'base64')) !== type)
    throw badRequest(
      `${field}: what follows ${type} is no key of that type; copy the whole line of the public key's file.`,
    );
}

/** A key begins with its own type, behind its length in four bytes; something must follow. */
function typeIn(key: Buffer): string | undefined {
  if (key.length < 4) return undefined;
  const end = 4 + key.readUInt32BE(0);
  return key.length > end + 4 ? key.toString('latin1', 4, end) : undefined;
}
