/** Clients name the version of the API in `Accept`, each in its own way; what it says changes nothing here, but one that we do not have is refused. */
import { ApiError } from '../errors.ts';

/** VCD 10.2 to 10.6. None from 40.0 on: clients would take us for another product. */
export const apiVersions = ['35.0', '36.0', '37.0', '37.1', '37.2', '38.0', '38.1', '39.0'] as const;

/**
 * The first number after `version=` counts. None, or an empty one, is as good as any; so is what is no media type at all, since one client joins two values of
 * which the second is none.
 */
export function refuseUnknownVersion(accept: string | undefined): void {
  const asked = /;\s*version\s*=\s*"?(\d[\w.-]*)/i.exec(accept ?? '')?.[1];
  if (asked === undefined || (apiVersions as readonly string[]).includes(asked)) return;
  throw new ApiError(
    'NOT_ACCEPTABLE',
    `Accept: there is no version ${asked.slice(0, 40)} of this API; ask for one of ${apiVersions.join(', ')}.`,
  );
}

/** Where versions are asked for. */
export function isVersioned(url: string): boolean {
  return /^\/(?:cloudapi|api|oauth)\//.test(url) && !/^\/api\/versions\/?(?:\?|$)/.test(url);
}
