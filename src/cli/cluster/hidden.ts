/** What stands in the place of a text that only a guest should read. */
export function hidden(text: string): string {
  return `(${Buffer.byteLength(text)} bytes, not shown)`;
}
