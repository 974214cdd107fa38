/** How a console ends: the code of the websocket's close, and a sentence that the page shows. From 4000 on the codes are ours to give. */
import type { ApiError } from '../errors.ts';

export interface Ending {
  readonly code: number;
  readonly reason: string;
}

export const endings = {
  serverStops: { code: 1001, reason: 'The server is being stopped. Ask for a new ticket, and open the console again.' },
  notAllowed: { code: 4401, reason: 'Your session has ended, or the machine is no longer there for you.' },
  idle: { code: 4408, reason: 'Nothing was typed or shown for a long time.' },
  machineEnded: { code: 4410, reason: 'The machine has stopped, or its console was opened elsewhere.' },
  lost: { code: 4503, reason: 'The connection to the machine was lost. Ask for a new ticket, and try again.' },
} as const satisfies Readonly<Record<string, Ending>>;

/** A page of a browser is not told why its websocket is refused, only how it was closed: 4403 is 403, and so on. */
export function endingOf({ status, message }: ApiError): Ending {
  return { code: 4000 + status, reason: shortened(message) };
}

/** RFC 6455 leaves 123 bytes. */
const maxReasonBytes = 123;

function shortened(text: string): string {
  if (Buffer.byteLength(text) <= maxReasonBytes) return text;
  let short = text;
  while (Buffer.byteLength(short) > maxReasonBytes - 3) short = [...short].slice(0, -1).join('');
  return `${short}…`;
}
