/** The API server's message, without the text that our client adds. */
import { ApiError } from '@ssvirt/kube/errors';

export function serverWords(error: unknown): string {
  if (error instanceof ApiError) return error.status?.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
