/** A moment as Kubernetes writes it: to the second. */
export function dateText(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
