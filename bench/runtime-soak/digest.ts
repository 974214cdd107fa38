/** Summarizes a set of objects in one line: equal digests mean equal knowledge. */
import { createHash } from 'node:crypto';

export interface Digest {
  readonly count: number;
  readonly digest: string;
}

export function digestOf(versions: Iterable<readonly [key: string, resourceVersion: string]>): Digest {
  const lines = [...versions].map(([key, version]) => `${key} ${version}`).sort();
  return { count: lines.length, digest: createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16) };
}
