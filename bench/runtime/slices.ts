/**
 * Measures the longest slice of the event loop: the CPU time of this thread between two iterations of the loop. Unlike
 * a delay, it excludes time taken by other processes. Checking every iteration keeps the loop awake, so this runs in a
 * process of its own.
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
