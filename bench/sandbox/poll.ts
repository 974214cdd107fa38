const startDeadline = 60_000;

/** Asks every few milliseconds until there is an answer. */
export async function poll<T>(complaint: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + startDeadline;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`${complaint} within ${startDeadline / 1000} s`);
    await new Promise((wake) => setTimeout(wake, 5));
  }
}
