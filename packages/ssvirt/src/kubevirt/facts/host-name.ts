/** The guest's host name. */
import { text } from './reading.ts';

/** KubeVirt's default is the object's name up to its first dot, at most 63 characters. */
export function hostNameOf(hostname: unknown, objectName: unknown): string | undefined {
  return text(hostname) ?? text(objectName)?.split('.')[0]?.slice(0, 63);
}
