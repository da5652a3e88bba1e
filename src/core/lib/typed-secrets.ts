/** Secrets that someone typed where none belongs, such as into a desired state. */

/** Is this the name of a setting whose value is a secret? */
export function soundsSecret(name: string): boolean {
  return /psk|secret|passw|token|credential|private|session|key/i.test(name);
}

const secretValue =
  /((?:psk|secret|passw(?:or)?d|token|credentials?|api_?key|sessionid)["']?\s*[:=]\s*)(\S.*)$/i;

/**
 * A line of a file in which dots replace everything after the name of such a setting: a value may contain blanks,
 * commas and brackets. The length is unchanged.
 */
export function withoutSecretValues(line: string): string {
  return line.replace(secretValue, (_, name: string, value: string) => name + value.replaceAll(/\S/g, '•'));
}

/** Is the text rather a key than the path of a file with one? A key has 128 characters. */
export function looksLikeKey(text: string): boolean {
  return /^[A-Za-z0-9+=_-][A-Za-z0-9+/=_-]{99,}$/.test(text);
}

/** A message about these words without the keys among them, also if a key is cut. */
export function withoutKeys(message: string, words: readonly string[]): string {
  return words.some(looksLikeKey) ? message.replaceAll(/[A-Za-z0-9+/=_-]{60,}…?/g, '…') : message;
}
