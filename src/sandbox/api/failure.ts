/** What a request that failed is answered with: the Status that was thrown, or that it was our fault. */
import type { Context } from './context.ts';
import { internalError, sendError } from './render.ts';
import { StatusError } from './status.ts';

/** Never rejects. `onDefect` is told of errors that no client caused. */
export async function sendFailure(context: Context, error: unknown, onDefect: (error: unknown) => void): Promise<void> {
  if (!(error instanceof StatusError) && context.signal.aborted) return;
  if (!(error instanceof StatusError)) onDefect(error);
  await sendError(context, error instanceof StatusError ? error : internalError(error)).catch(() =>
    context.response.destroy(),
  );
  // What the client still sends of a refused body would be read as the next request.
  context.request.resume();
}
