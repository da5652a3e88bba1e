const suffix = '.plan.json';
const utf8 = new TextEncoder();

/**
 * The file of an account's plan in a folder of plans. Every character that a file system may read in another way, such
 * as a capital letter, is percent-encoded, so that each account has a file of its own on every system.
 */
export function planFileName(account: string): string {
  const safe = account.replace(/[^a-z0-9._-]|^\./gu, (character) =>
    Array.from(utf8.encode(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return `${safe}${suffix}`;
}

/** Could this be the file of a plan in a folder of plans? */
export function isPlanFileName(name: string): boolean {
  return /^[a-z0-9%_-][a-z0-9%._-]*$/.test(name) && name.endsWith(suffix) && name !== suffix;
}
