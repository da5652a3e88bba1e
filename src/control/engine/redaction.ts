import { createNumberSet, type NumberSet } from '../../core/lib/number-set.ts';
import { secretForms } from '../../core/lib/secret-forms.ts';

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

/** `onHide` gets what is hidden, too. */
export function createRedaction(onHide?: Redaction['hide']): Redaction {
  const needles = new Set<string>();
  const pieces = createNumberSet();
  const hidden = new Set<string>();
  let fresh: string[] = [];
  const prepare = () => {
    for (const secret of fresh)
      for (const form of secretForms(secret)) {
        if (secret.length >= partLength) addPieces(form, pieces);
        else if (form.length >= shortest) needles.add(form);
      }
    fresh = [];
  };
  return {
    // A check of the server hides the key of its account, and mostly shows no text.
    hide(secrets) {
      onHide?.(secrets);
      for (const secret of secrets) {
        if (hidden.has(secret)) continue;
        hidden.add(secret);
        fresh.push(secret);
      }
    },
    redact(text) {
      prepare();
      let safe = text;
      for (const needle of needles) safe = safe.replaceAll(needle, replacement);
      return pieces.isEmpty() ? safe : withoutParts(safe, pieces);
    },
  };
}

/** Computes the hash of each piece from that of the piece before it. */
function addPieces(secret: string, pieces: NumberSet): void {
  if (secret.length < pieceLength) return;
  let hash = hashOfPiece(secret, 0);
  pieces.add(hash);
  for (let at = pieceLength; at < secret.length; at += 1) {
    const rest = hash - Math.imul(secret.charCodeAt(at - pieceLength), firstFactor);
    hash = (Math.imul(rest, factor) + secret.charCodeAt(at)) >>> 0;
    pieces.add(hash);
  }
}

const factor = 0x01000193;
/** What the first character of a piece is multiplied by: `factor` once for each character after it. */
const firstFactor = Array.from({ length: pieceLength - 1 }).reduce(
  (product: number) => Math.imul(product, factor),
  1,
);

/**
 * Many accounts have many keys, and numbers are faster than texts. No part of a text is removed by accident: each of
 * its pieces would need the hash of some piece of a secret.
 */
function hashOfPiece(text: string, from: number): number {
  let hash = 0;
  for (let at = from; at < from + pieceLength; at += 1) hash = Math.imul(hash, factor) + text.charCodeAt(at);
  return hash >>> 0;
}

/** A message may show the beginning of a long word, or the middle of a line. */
function withoutParts(text: string, pieces: NumberSet): string {
  const isPiece = (at: number) => pieces.has(hashOfPiece(text, at));
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
