/**
 `microTime` returns * Kubernetes' MicroTime, as in Leases and Events: exactly six decimal places, otherwise the server refuses the object.
 * A Date has three; the others are zero.
 */

export function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}

/** `parseMicroTime` returns undefined for anything but an RFC 3339 time. Digits below a millisecond are dropped. */
export function parseMicroTime(text: string | undefined): Date | undefined {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/.exec(text ?? '');
  if (match === null) return undefined;
  const [, seconds = '', fraction = '', zone = ''] = match;
  const date = new Date(`${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
