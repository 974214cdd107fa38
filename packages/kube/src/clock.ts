/** `Clock` is the time source of the runtime. Everything that waits takes a clock, so that tests can advance time. */

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Monotonic milliseconds; not comparable between processes. */
  now(): number;
  /** Wall-clock time, for timestamps only: it may jump. */
  date(): Date;
  after(milliseconds: number, wake: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after(milliseconds, wake) {
    let left = Math.max(0, milliseconds);
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const part = Math.min(left, longestTimerMs);
      left -= part;
      timer = setTimeout(left > 0 ? wait : wake, part);
    };
    wait();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** About 25 days. setTimeout treats anything longer as 1 ms, which would turn a waiting loop into a busy one. */
const longestTimerMs = 2 ** 31 - 1;

/** `sleep` resolves after the time has passed, or at once when the signal is aborted; the caller checks the signal. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}
