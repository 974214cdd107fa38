/** The names that organizations may have. */
import { badRequest } from '../../errors.ts';

const allowed = /^[A-Za-z0-9_.-](?:[A-Za-z0-9_. -]{0,126}[A-Za-z0-9_.-])?$/;

/**
 * A log-in name is `user@organization`, split at the last @, and the name is used in paths: so it contains no @ and no
 * slash.
 */
export function checkOrganizationName(name: string): void {
  if (!allowed.test(name))
    throw badRequest(
      `name: ${JSON.stringify(name.slice(0, 130))} is not a valid organization name: use 1 to 128 letters (A-Z, a-z), digits, "-", "_", "." and spaces, with no leading or trailing space.`,
    );
  if (name === '.' || name === '..')
    throw badRequest(`name: ${JSON.stringify(name)} cannot be used in a path; choose another name.`);
}
