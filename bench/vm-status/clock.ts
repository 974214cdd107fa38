/** Now, in milliseconds of the wall clock with their fractions: PostgreSQL tells the time of a commit by that clock. */
export const now = (): number => performance.timeOrigin + performance.now();
