/**
 * `Repeater` runs work repeatedly, never concurrently: after the pause that the work returns, or at once after `poke`.
 */
export class Repeater {
  readonly #work: () => Promise<number>;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #again = false;
  #stopped = false;

  /** `work` resolves to the pause before the next run, in milliseconds; after a failure the pause is one second. */
  constructor(work: () => Promise<number>, onError: (error: unknown) => void) {
    this.#work = work;
    this.#onError = onError;
  }

  poke(): void {
    if (this.#stopped) return;
    this.#again = true;
    if (!this.#running) void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#again = false;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#running = true;
    let pause = 1000;
    while (this.#again) {
      this.#again = false;
      try {
        pause = await this.#work();
      } catch (error) {
        if (!this.#stopped) this.#onError(error);
      }
    }
    this.#running = false;
    if (!this.#stopped) this.#timer = setTimeout(() => this.poke(), pause);
  }
}
