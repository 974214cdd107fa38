/** What the guest of an order is told at its first boot. */
import { decoded, fitsSecret, looksEncoded, MOST_IN_SECRET } from './encoded-text.ts';
import { refusedUnseen, type Read } from './parameter-problem.ts';

/** As cloud-init and cloudbase-init know it: `#cloud-config`, `#!`, `#include`, `## template`, MIME, and what Windows runs. */
const beginning = /^(#|Content-Type:|MIME-Version:|From |<|rem cmd)/i;

/** AAP wants base64; plain text is what people write. User data has a `#`, a colon or a space, which base64 has not: the two cannot be mixed up. */
export function readUserData(field: string, value: unknown): Read<string> {
  const text = typeof value === 'string' ? (decoded(value) ?? value) : '';
  if (looksEncoded(text))
    return refusedUnseen(field, value, {
      rule: 'base64 with its padding, of a text in UTF-8, or plain text; it has only characters of base64, and is none of such a text',
      remedy: 'Encode it again, once, as it is and not compressed (base64 -w0 FILE), or write it plainly',
    });
  if (text.trim() === '' || !fitsSecret(text))
    return refusedUnseen(field, value, {
      rule: `user data for cloud-init, in base64 or as plain text in UTF-8, not empty and of at most ${MOST_IN_SECRET} bytes`,
      remedy: `Leave "${field}" out for none, or write "#cloud-config" and what the guest is to do`,
    });
  if (beginning.test(text)) return { value: text };
  const warning = `${field} does not begin as user data does (with "#cloud-config", "#!" or a header of MIME): the guest may leave it aside.`;
  return { value: text, warning };
}
