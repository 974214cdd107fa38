/**
 * The longest slice of the event loop that is our own: the processor time that this thread spends between two turns of the loop. Unlike a delay it does not
 * count what other processes took from us. Looking at every turn keeps the loop awake, so it is measured in a process of its own.
 */
export function watchSlices(say: (value: object) => void): void {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - before.user - before.system);
    before = now;
    setImmediate(look);
  };
  setImmediate(look);
  setInterval(() => {
    say({ event: 'slice', ms: longest / 1000 });
  }, 500).unref();
}
