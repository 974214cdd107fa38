/** `https://HOST:PORT` of this server as clients reach it: the part of links before the path. */
import type { ApiSettings } from '../settings.ts';
import type { Request } from './app-types.ts';

/** `baseUrl` returns the configured URL, otherwise the one that the request names, which only its sender sees. */
export function baseUrl(request: Pick<Request, 'protocol' | 'host'>, { publicUrl }: ApiSettings): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}
