/** Ages as `kubectl get` shows them: two or three significant figures. */
import type { Json } from '../../values/json.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / second);
  // A clock that is behind by less than two seconds counts as equal.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  if (milliseconds < 10 * minute) return parts(milliseconds, minute, 'm', second, 's');
  if (milliseconds < 3 * hour) return `${Math.floor(milliseconds / minute)}m`;
  if (milliseconds < 8 * hour) return parts(milliseconds, hour, 'h', minute, 'm');
  if (milliseconds < 2 * day) return `${Math.floor(milliseconds / hour)}h`;
  if (milliseconds < 8 * day) return parts(milliseconds, day, 'd', hour, 'h');
  if (milliseconds < 2 * year) return `${Math.floor(milliseconds / day)}d`;
  if (milliseconds < 8 * year) return parts(milliseconds, year, 'y', day, 'd');
  return `${Math.floor(milliseconds / year)}y`;
}

function parts(milliseconds: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((milliseconds % big) / small);
  return `${Math.floor(milliseconds / big)}${bigUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}

/** The age of a timestamp; `<unknown>` without one. */
export type Since = (timestamp: Json | undefined) => string;

export function sinceFrom(now: Date): Since {
  return (timestamp) => {
    if (typeof timestamp !== 'string' || timestamp === '') return '<unknown>';
    return humanDuration(now.getTime() - Date.parse(timestamp));
  };
}
