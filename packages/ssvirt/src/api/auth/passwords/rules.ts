/** The rules for passwords. No response contains the text. */
import { badRequest } from '../../errors.ts';

export const minPasswordLength = 12;
export const maxPasswordLength = 256;

/** Throws BAD_REQUEST; `field` is the field with the password. */
export function requireGoodPassword(password: string, username: string, field = 'password'): void {
  const length = [...password].length;
  if (length < minPasswordLength)
    throw badRequest(`${field}: must have at least ${minPasswordLength} characters; choose a longer one.`);
  if (length > maxPasswordLength)
    throw badRequest(`${field}: must have at most ${maxPasswordLength} characters; choose a shorter one.`);
  if (password.toLowerCase() === username.toLowerCase())
    throw badRequest(`${field}: must not be the user name; choose another password.`);
}
