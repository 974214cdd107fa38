/** `dateText` formats a time as Kubernetes does, in whole seconds. */
export function dateText(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
