/** The current wall clock time in fractional milliseconds. PostgreSQL's commit times use the same clock. */
export const now = (): number => performance.timeOrigin + performance.now();
