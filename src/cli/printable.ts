/** Names, values and messages come from strangers: what steers a terminal is shown and not obeyed. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
