/**
 * Clients name the version of the API in `Accept`, each in its own way. All supported versions behave alike; an
 * unsupported one is refused.
 */
import { ApiError } from '../errors.ts';

/** VCD 10.2 to 10.6. Nothing from 40.0 on: clients would take this server for another product. */
export const apiVersions = ['35.0', '36.0', '37.0', '37.1', '37.2', '38.0', '38.1', '39.0'] as const;

/**
 * The first number after `version=` counts. A missing or empty one is accepted, and so is a value that is not a media
 * type, since one client joins two values of which the second is not one.
 */
export function refuseUnknownVersion(accept: string | undefined): void {
  const asked = /;\s*version\s*=\s*"?(\d[\w.-]*)/i.exec(accept ?? '')?.[1];
  if (asked === undefined || (apiVersions as readonly string[]).includes(asked)) return;
  throw new ApiError(
    'NOT_ACCEPTABLE',
    `Accept: version ${asked.slice(0, 40)} of the API is not supported; use one of ${apiVersions.join(', ')}.`,
  );
}

/** Routes that check the version. */
export function isVersioned(url: string): boolean {
  return /^\/(?:cloudapi|api|oauth)\//.test(url) && !/^\/api\/versions\/?(?:\?|$)/.test(url);
}
