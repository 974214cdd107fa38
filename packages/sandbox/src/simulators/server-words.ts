/** The API server's message, without the text that our client adds. */
import { KubeError } from '@ssvirt/kube/errors';

export function serverWords(error: unknown): string {
  if (error instanceof KubeError) return error.status?.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
