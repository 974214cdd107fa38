/** The user data for the first boot of an order's guest. */
import { decoded, fitsSecret, looksEncoded, MOST_IN_SECRET } from './encoded-text.ts';
import { refusedUnseen, type Read } from './parameter-problem.ts';

/**
 * The first characters that cloud-init and cloudbase-init recognize: `#cloud-config`, `#!`, `#include`, `## template`,
 * MIME, and what Windows runs.
 */
const beginning = /^(#|Content-Type:|MIME-Version:|From |<|rem cmd)/i;

/**
 * AAP requires base64; people write plain text. User data contains a `#`, a colon or a space, which base64 does not:
 * the two cannot be confused.
 */
export function readUserData(field: string, value: unknown): Read<string> {
  const text = typeof value === 'string' ? (decoded(value) ?? value) : '';
  if (looksEncoded(text))
    return refusedUnseen(field, value, {
      rule: 'padded base64 of UTF-8 text, or plain text; it has only base64 characters, but does not decode to such text',
      remedy: 'Encode it again, once, as it is and not compressed (base64 -w0 FILE), or write it plainly',
    });
  if (text.trim() === '' || !fitsSecret(text))
    return refusedUnseen(field, value, {
      rule: `user data for cloud-init, in base64 or as plain text in UTF-8, not empty and of at most ${MOST_IN_SECRET} bytes`,
      remedy: `Leave "${field}" out for none, or write "#cloud-config" and what the guest is to do`,
    });
  if (beginning.test(text)) return { value: text };
  const warning = `${field} does not begin like user data (with "#cloud-config", "#!" or a header of MIME): the guest may ignore it.`;
  return { value: text, warning };
}
