/** Sends the answer for a failed request: the Status that was thrown, or an internal error. */
import type { Context } from './context.ts';
import { internalError, sendError } from './render.ts';
import { StatusError } from './status.ts';

/** Never rejects. Calls `onDefect` for errors that no client caused. */
export async function sendFailure(context: Context, error: unknown, onDefect: (error: unknown) => void): Promise<void> {
  if (!(error instanceof StatusError) && context.signal.aborted) return;
  if (!(error instanceof StatusError)) onDefect(error);
  await sendError(context, error instanceof StatusError ? error : internalError(error)).catch(() =>
    context.response.destroy(),
  );
  // Without this, the rest of a rejected body would be parsed as the next request.
  context.request.resume();
}
