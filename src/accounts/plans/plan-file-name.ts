const suffix = '.plan.json';
const utf8 = new TextEncoder();

/** The file of an account's plan in a folder of plans. Characters with a meaning in paths are percent-encoded. */
export function planFileName(account: string): string {
  const safe = account.replace(/[^A-Za-z0-9._-]|^\./gu, (character) =>
    Array.from(utf8.encode(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return `${safe}${suffix}`;
}

/** Could this be the file of a plan in a folder of plans? */
export function isPlanFileName(name: string): boolean {
  return /^[A-Za-z0-9%_-][A-Za-z0-9%._-]*$/.test(name) && name.endsWith(suffix) && name !== suffix;
}
