/** `ago` formats a past time as people say it. */
export function ago(time: string, now: number): string {
  const ms = now - Date.parse(time);
  return Number.isNaN(ms) ? 'some time ago' : `${span(Math.max(0, ms))} ago`;
}

/** In its largest unit. */
export function span(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 120 * 60) return `${Math.floor(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
