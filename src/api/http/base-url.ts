/** `https://HOST:PORT` of this server as its caller reaches it: what stands before the path in links. */
import type { ApiSettings } from '../settings.ts';
import type { Request } from './app-types.ts';

/** The configured one, else the one that the request itself has named; nobody but its sender sees the answer. */
export function baseUrl(request: Pick<Request, 'protocol' | 'host'>, { publicUrl }: ApiSettings): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}
