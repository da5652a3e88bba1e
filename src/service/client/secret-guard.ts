/** Does a text repeat a whole secret? */
export type HoldsSecret = (text: string) => boolean;

/** From this length on, letters and digits alone identify a secret; a shorter secret must appear verbatim. */
const identifying = 8;
/** How many times in a row a text may have been escaped. */
const layers = 3;

/**
 * Finds secrets in a service's echo of a request: in any letter case, and escaped for JSON, HTML or a URL, or for
 * several of these in a row.
 */
export function createSecretGuard(secrets: readonly string[]): HoldsSecret {
  const tests = secrets.filter((secret) => secret !== '').map(testFor);
  const holds = (text: string, layersLeft: number): boolean =>
    tests.some((test) => test(text)) ||
    (layersLeft > 0 &&
      decoders.some((decode) => {
        const decoded = decode(text);
        return decoded !== text && holds(decoded, layersLeft - 1);
      }));
  return (text) => holds(text, layers);
}

function testFor(secret: string): HoldsSecret {
  const normalized = lettersAndDigits(secret);
  return normalized.length < identifying
    ? (text) => text.includes(secret)
    : (text) => lettersAndDigits(text).includes(normalized);
}

function lettersAndDigits(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '').toLowerCase();
}

const decoders: readonly ((text: string) => string)[] = [
  (text) =>
    text.replace(
      /\\(?:u([0-9a-f]{4})|([bfnrt])|(.))/gis,
      (_, hex?: string, control?: string, plain?: string) =>
        hex !== undefined ? character(Number.parseInt(hex, 16)) : control !== undefined ? ' ' : (plain ?? ''),
    ),
  (text) =>
    text.replace(
      /&(?:#x([0-9a-f]{1,8})|#(\d{1,8})|([a-z][a-z0-9]{1,31}));/gi,
      (_, hex?: string, decimal?: string, name = '') =>
        hex !== undefined
          ? character(Number.parseInt(hex, 16))
          : decimal !== undefined
            ? character(Number(decimal))
            : (entities[name.toLowerCase()] ?? ' '),
    ),
  (text) => text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => character(Number.parseInt(hex, 16))),
];

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Non-ASCII characters identify no secret, and their encoding is unknown. */
function character(code: number): string {
  return code < 0x80 ? String.fromCharCode(code) : ' ';
}
