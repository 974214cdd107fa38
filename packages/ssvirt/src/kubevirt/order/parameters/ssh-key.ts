/** The public keys that may log in to the guest of an order. */
import { decoded, fitsSecret, MOST_IN_SECRET } from './encoded-text.ts';
import { refusedUnseen, type Read } from './parameter-problem.ts';

const types =
  '(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-nistp(?:256|384|521)|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\\.com)';
/** Every key begins with the 32-bit length of its type's name, and therefore with these letters. */
const body = 'AAAA[A-Za-z0-9+/]*={0,2}';
const keyLine = new RegExp(`^${types}[ \\t]+${body}(?:[ \\t].*)?$`);
const secondKey = new RegExp(`,[ \\t]*${types}[ \\t]+AAAA`);

/**
 * One key, or several on separate lines; plain as AAP has it, or in base64 as some write it. An empty text means no
 * key.
 */
export function readSshKey(field: string, value: unknown): Read<string | undefined> {
  if (value === '') return { value: undefined };
  const text = typeof value === 'string' ? (decoded(value) ?? value) : '';
  if (isPrivate(text))
    return refusedUnseen(field, value, {
      rule: 'a public key, and never a private one',
      remedy:
        'Remove it, generate a new key pair, since everyone who can read orders can read this key, and write the content of the file that ends in .pub',
    });
  if (areKeys(text) && fitsSecret(text)) return { value: text };
  return refusedUnseen(field, value, {
    rule: `OpenSSH public keys, each on a line of its own as TYPE KEY [COMMENT], of at most ${MOST_IN_SECRET} bytes`,
    remedy: 'Write the content of the file that ends in .pub, which begins for example with "ssh-ed25519 AAAA"',
  });
}

function isPrivate(text: string): boolean {
  return /PRIVATE KEY|PuTTY-User-Key-File/i.test(text);
}

function areKeys(text: string): boolean {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return lines.length > 0 && lines.every((line) => keyLine.test(line) && !secondKey.test(line));
}
