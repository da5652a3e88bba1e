/** The last guard: removes the secrets of this process from all output. */
export interface Redaction {
  /** From now on, these are never shown. */
  readonly hide: (secrets: readonly string[]) => void;
  readonly redact: (text: string) => string;
}

const replacement = '[secret]';
/** A part of a secret this long is no coincidence. */
const partLength = 16;
/** Any part of that length contains a piece of this length that begins at a multiple of it. */
const pieceLength = 8;
/** Shorter secrets would turn ordinary words into `[secret]`. */
const shortest = 6;

export function createRedaction(): Redaction {
  const needles = new Set<string>();
  const pieces = new Set<string>();
  return {
    hide(secrets) {
      for (const secret of secrets) {
        const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
        for (const form of forms) if (form.length >= shortest) needles.add(form);
        if (secret.length < partLength) continue;
        for (const form of forms) addPieces(form, pieces);
      }
    },
    redact(text) {
      let safe = text;
      for (const needle of needles) safe = safe.replaceAll(needle, replacement);
      return pieces.size === 0 ? safe : withoutParts(safe, pieces);
    },
  };
}

function addPieces(secret: string, pieces: Set<string>): void {
  for (let at = 0; at + pieceLength <= secret.length; at += 1) pieces.add(secret.slice(at, at + pieceLength));
}

/** A message may show the beginning of a long word, or the middle of a line. */
function withoutParts(text: string, pieces: ReadonlySet<string>): string {
  const isPiece = (at: number) => pieces.has(text.slice(at, at + pieceLength));
  let safe = '';
  let shown = 0;
  for (let at = 0; at + pieceLength <= text.length; at += pieceLength) {
    if (at < shown || !isPiece(at)) continue;
    let start = at;
    while (start > shown && isPiece(start - 1)) start -= 1;
    let end = at + pieceLength;
    while (end < text.length && isPiece(end + 1 - pieceLength)) end += 1;
    if (end - start < partLength) continue;
    safe += text.slice(shown, start) + replacement;
    shown = end;
  }
  return safe + text.slice(shown);
}
