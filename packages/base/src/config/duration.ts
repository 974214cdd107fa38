/** Durations in the format of Go, which Kubernetes users know: `300ms`, `1m30s`, `1.5h`, `0`. */
const unitMilliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const whole = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;
const part = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g;

/** `parseDuration` returns the duration in milliseconds, or undefined if the text is not a duration. Negative durations are refused. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!whole.test(text)) return undefined;
  let total = 0;
  for (const [, number = '', unit = ''] of text.matchAll(part))
    total += Number(number) * (unitMilliseconds[unit] ?? NaN);
  return total;
}

/** `formatDuration` returns the shortest common form: 90000 is `1m30s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  if (milliseconds < 1000) return `${milliseconds}ms`;
  const hours = Math.floor(milliseconds / 3_600_000);
  const minutes = Math.floor((milliseconds % 3_600_000) / 60_000);
  const seconds = (milliseconds % 60_000) / 1000;
  return `${hours > 0 ? `${hours}h` : ''}${minutes > 0 ? `${minutes}m` : ''}${seconds > 0 ? `${seconds}s` : ''}`;
}
