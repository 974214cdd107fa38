/** The names that organisations may have. */
import { badRequest } from '../errors.ts';

const allowed = /^[A-Za-z0-9_.-](?:[A-Za-z0-9_. -]{0,126}[A-Za-z0-9_.-])?$/;

/** A log-in is `user@organization`, split at the last @, and the name stands in paths: so there are no @ and no slash in it. */
export function checkOrganizationName(name: string): void {
  if (!allowed.test(name))
    throw badRequest(
      `name: ${JSON.stringify(name.slice(0, 130))} is not a name of an organization: take from 1 to 128 letters (A-Z, a-z), digits, "-", "_", "." and spaces, and no space at either end.`,
    );
  if (name === '.' || name === '..')
    throw badRequest(`name: ${JSON.stringify(name)} cannot stand in a path; take another name.`);
}
