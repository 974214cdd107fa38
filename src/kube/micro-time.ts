/** Kubernetes' MicroTime: RFC 3339 in UTC with exactly six digits. Older servers refuse fewer. */
export function microTime(date: Date): string {
  return date.toISOString().replace(/(\.\d{3})Z$/, '$1000Z');
}
