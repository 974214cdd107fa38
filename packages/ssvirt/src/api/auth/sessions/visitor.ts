import type { Request } from '../../http/app-types.ts';
import { clientAddress } from '../../http/client-address.ts';
import type { Visitor } from './log-in.ts';

export function visitorOf(request: Pick<Request, 'ip' | 'headers' | 'id'>): Visitor {
  return { address: clientAddress(request), userAgent: request.headers['user-agent'] ?? '', requestId: request.id };
}
