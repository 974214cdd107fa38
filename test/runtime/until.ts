/** Waits for a state, never for a fixed time. */

export interface UntilOptions {
  readonly deadlineMs?: number;
  readonly everyMs?: number;
}

/**
 * Resolves when the probe returns true; rejects at the deadline with what it waited for, and with the probe's last
 * error.
 */
export async function until(
  what: string,
  probe: () => boolean | Promise<boolean>,
  { deadlineMs = 30_000, everyMs = 10 }: UntilOptions = {},
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    let failure: unknown;
    try {
      if (await probe()) return;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`, { cause: failure });
    await new Promise((wake) => setTimeout(wake, everyMs));
  }
}
