/**
 * How a console ends: the close code of the WebSocket, and a sentence that the page shows. Codes from 4000 on are for
 * applications.
 */
import type { ApiError } from '../errors.ts';

export interface Ending {
  readonly code: number;
  readonly reason: string;
}

export const endings = {
  serverStops: { code: 1001, reason: 'The server is shutting down. Request a new ticket and open the console again.' },
  notAllowed: { code: 4401, reason: 'Your session has ended, or you no longer have access to the VM.' },
  idle: { code: 4408, reason: 'The console was idle for too long.' },
  machineEnded: { code: 4410, reason: 'The VM has stopped, or its console was opened elsewhere.' },
  lost: { code: 4503, reason: 'The connection to the VM was lost. Request a new ticket and try again.' },
} as const satisfies Readonly<Record<string, Ending>>;

/** A web page cannot read why its WebSocket was refused, only the close code: 4403 means 403, and so on. */
export function endingOf({ status, message }: ApiError): Ending {
  return { code: 4000 + status, reason: shortened(message) };
}

/** RFC 6455 leaves 123 bytes for the reason. */
const maxReasonBytes = 123;

function shortened(text: string): string {
  if (Buffer.byteLength(text) <= maxReasonBytes) return text;
  let short = text;
  while (Buffer.byteLength(short) > maxReasonBytes - 3) short = [...short].slice(0, -1).join('');
  return `${short}…`;
}
