/** A moment as Kubernetes writes it: to the second. */
export function timestamp(date: Date = new Date()): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
