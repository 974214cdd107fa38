/** Other people's words on a terminal: what would steer it is taken out. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
