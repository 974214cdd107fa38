import type { Request } from '../http/app-types.ts';
import type { Visitor } from './log-in.ts';

export function visitorOf(request: Pick<Request, 'ip' | 'headers' | 'id'>): Visitor {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '', requestId: request.id };
}
