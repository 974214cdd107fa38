/** Paths in container images. */
import { posix } from 'node:path';
import { invalid, type Cause } from '../cause.ts';

export function pathCauses(field: string, path: string): Cause[] {
  if (path === '/') return [invalid(`${field} must not point to root`, field)];
  const cleaned = posix.join('/', path).replace(/(?<=.)\/$/, '');
  if (cleaned === path.replace(/\/$/, '')) return [];
  return [invalid(`${field} must be an absolute path to a file without relative components`, field)];
}
