/** The placeholder for a text that only a guest may read. */
export function hidden(text: string): string {
  return `(${Buffer.byteLength(text)} bytes, not shown)`;
}
