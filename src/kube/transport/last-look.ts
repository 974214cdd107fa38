/**
 * The last look before a request goes out. It may have waited for a socket, or for the other side of a handshake: long enough for a process to be paused, which
 * finds its handshake done when it wakes up, before any of its timers have told it that its time is over. Undici says when it begins to write.
 */
import type { Dispatcher } from 'undici';

export interface Looking {
  /** What it throws keeps the request from being sent. */
  readonly beforeSend?: (() => void) | undefined;
}

/** Thrown by the look, and so by nothing that has come to the network. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  /** As the look has thrown it. */
  readonly why: unknown;

  constructor(why: unknown) {
    super('it was kept from being sent', { cause: why });
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
    onRequestUpgrade: (...told) => handler.onRequestUpgrade?.(...told),
    onResponseStart: (...told) => handler.onResponseStart?.(...told),
    onResponseData: (...told) => handler.onResponseData?.(...told),
    onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
    onResponseError: (...told) => handler.onResponseError?.(...told),
  };
}
