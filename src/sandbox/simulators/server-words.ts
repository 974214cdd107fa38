/** What the API server said, without what our client puts around it. */
import { ApiError } from '../../kube/errors.ts';

export function serverWords(error: unknown): string {
  if (error instanceof ApiError) return error.status?.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
