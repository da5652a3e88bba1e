/** The text if it is an address that a browser may open; null for any other scheme, such as `javascript:`. */
export function webAddress(text: string): string | null {
  try {
    const { protocol } = new URL(text);
    return protocol === 'https:' || protocol === 'http:' ? text : null;
  } catch {
    return null;
  }
}
