/**
 * A secret in every form in which this program sends it, so that no output shows one that somebody sends back: as it is,
 * in JSON, in an address, in a form, and within base64, as in `Authorization: Basic` with any user.
 */
export function secretForms(secret: string): ReadonlySet<string> {
  const text = secret.toWellFormed();
  const json = JSON.stringify(text).slice(1, -1);
  const escaped = encodeURIComponent(text);
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const plain = new Set([secret, json, asciiOf(json), escaped, form]);
  return new Set([...plain, ...[...plain].flatMap(base64Parts)]);
}

function asciiOf(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The characters of base64 that only the text decides, for each of the three positions at which it can begin. What comes
 * before and after it changes the characters at its ends.
 */
function base64Parts(text: string): readonly string[] {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].flatMap((before) => {
    const all = btoa(`${'\0'.repeat(before)}${binary}`);
    const part = all.slice(Math.ceil((before * 4) / 3), Math.floor(((before + binary.length) * 4) / 3));
    return [part, part.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
