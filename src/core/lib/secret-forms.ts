/**
 * A secret in every form in which this program sends it, so that no output shows one that somebody sends back:
 * unchanged, in JSON, in an address, in a form, and within base64, as in `Authorization: Basic` with any user. In
 * addition, the forms that logs and error pages of services make of these: hexadecimal digits, and JSON within an
 * address or within JSON.
 */
export function secretForms(secret: string): ReadonlySet<string> {
  const text = secret.toWellFormed();
  const json = JSON.stringify(text).slice(1, -1);
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const plain = new Set([secret, json, asciiOf(json), encodeURIComponent(text), form]);
  const slashed = json.replaceAll('/', '\\/');
  const addresses = [text, json, asciiOf(json), slashed, form].flatMap((each) => {
    const escaped = encodeURIComponent(each);
    return [escaped, strictly(escaped)];
  });
  const lower = [...addresses, form].map((each) => each.replace(/%../g, (byte) => byte.toLowerCase()));
  const hex = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  // A line of a log is JSON, and the text that it quotes may be JSON as well.
  const quoted = JSON.stringify(json).slice(1, -1);
  const others = [slashed, quoted, asciiOf(quoted), ...addresses, ...lower, hex, hex.toUpperCase()];
  return new Set([...plain, ...[...plain].flatMap(base64Parts), ...others]);
}

/** An address in which everything but letters, digits and `-._~` is escaped (RFC 3986). */
function strictly(address: string): string {
  return address.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
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
