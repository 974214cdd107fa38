/** `plain` removes control characters from foreign text before it reaches a terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
