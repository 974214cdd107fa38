/**
 * The last check before a request is written. A request may wait for a socket or a handshake, long enough for the
 * process to be paused. After the pause the handshake is done, and the request would be sent before any timer reports
 * the end of the deadline. undici calls a hook before it writes.
 */
import type { Dispatcher } from 'undici';

export interface Looking {
  /** If it throws, the request is not sent. */
  readonly beforeSend?: (() => void) | undefined;
}

/** Thrown by the check only, so the request has certainly not been sent. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  /** The error that the check threw. */
  readonly why: unknown;

  constructor(why: unknown) {
    super('the request was not sent', { cause: why });
    this.why = why;
  }
}

export const withLastLook: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { beforeSend } = options as Looking;
  return dispatch(options, beforeSend === undefined ? handler : looking(handler, beforeSend));
};

function looking(handler: Dispatcher.DispatchHandler, look: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller, context) {
      try {
        look();
      } catch (error) {
        throw new NotSent(error);
      }
      handler.onRequestStart?.(controller, context);
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}
