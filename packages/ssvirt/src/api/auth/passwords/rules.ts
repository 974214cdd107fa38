/** The rules for passwords. No response contains the text. */
import { badRequest } from '../../errors.ts';

export const minPasswordLength = 12;
export const maxPasswordLength = 256;
const minDifferentCharacters = 5;
/** A shorter user name is part of many good passwords. */
const minNameLength = 3;

/** `requireGoodPassword` throws BAD_REQUEST; `field` is the field with the password. */
export function requireGoodPassword(password: string, username: string, field = 'password'): void {
  const length = [...password].length;
  if (length < minPasswordLength)
    throw badRequest(`${field}: must have at least ${minPasswordLength} characters; choose a longer one.`);
  if (length > maxPasswordLength)
    throw badRequest(`${field}: must have at most ${maxPasswordLength} characters; choose a shorter one.`);
  const plain = comparable(password);
  if (plain.trim() === '') throw badRequest(`${field}: must not consist of blanks only; choose another password.`);
  if (new Set(plain).size < minDifferentCharacters || isRepetition(plain))
    throw badRequest(
      `${field}: must not repeat a few characters; use at least ${minDifferentCharacters} different characters, and no repetition of fewer than ${minPasswordLength}.`,
    );
  const name = comparable(username);
  if (name.length >= minNameLength && plain.includes(name))
    throw badRequest(`${field}: must not contain the user name; choose another password.`);
}

/** Case and form of characters make no password harder to guess. */
function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Whether the text is a shorter piece, at least twice; the last one may be cut off. */
function isRepetition(text: string): boolean {
  const characters = [...text];
  const longest = Math.min(minPasswordLength - 1, Math.floor(characters.length / 2));
  for (let period = 1; period <= longest; period += 1)
    if (characters.every((one, at) => at < period || one === characters[at - period])) return true;
  return false;
}
