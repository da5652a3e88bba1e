import { createNumberSet, type NumberSet } from './number-set.ts';
import { secretForms } from './secret-forms.ts';

/** The last guard: removes the secrets of this process from all output. */
export interface Redaction {
  /** From now on, these are never shown. */
  readonly hide: (secrets: readonly string[]) => void;
  readonly redact: (text: string) => string;
  /** The same for text that was laid out for a terminal: a secret may be broken over lines, and have colors in it. */
  readonly redactLines: (text: string) => string;
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
  let needles = new Set<string>();
  const pieces = createNumberSet();
  const hidden = new Set<string>();
  let fresh: string[] = [];
  const prepare = () => {
    for (const secret of fresh)
      for (const form of secretForms(secret)) {
        const bare = form.replace(spaces, '');
        if (secret.length < partLength) for (const needle of [form, bare]) addNeedle(needle);
        else {
          addPieces(form, pieces);
          if (bare !== form) addPieces(bare, pieces);
          if (bare.length < partLength) addNeedle(bare);
        }
      }
    if (fresh.length > 0) needles = new Set([...needles].sort((a, b) => b.length - a.length));
    fresh = [];
  };
  const addNeedle = (needle: string) => {
    if (needle.length >= shortest) needles.add(needle);
  };
  const redact = (text: string) => {
    prepare();
    // Long ones first: without the short one that it contains, a long secret is not found.
    let safe = pieces.isEmpty() ? text : withoutParts(text, pieces);
    for (const needle of needles) safe = safe.replaceAll(needle, replacement);
    return safe;
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
    redact,
    redactLines(text) {
      prepare();
      return hidden.size === 0 ? text : redact(withoutBrokenParts(text, needles, pieces));
    },
  };
}

const spaces = /\s+/g;
const escape = '\u001b\\[';
/** What laying out text for a terminal puts between two characters of it: white space, and colors. */
const layout = new RegExp(`(?:\\s|${escape}[\\d;]*m)+`, 'g');

/** Finds secrets in the text without its layout. Colors within a secret stay, because one of them may end a color that began before. */
function withoutBrokenParts(text: string, needles: ReadonlySet<string>, pieces: NumberSet): string {
  let bare = '';
  const gaps: { readonly at: number; readonly text: string }[] = [];
  let from = 0;
  for (const { index, 0: gap } of text.matchAll(layout)) {
    bare += text.slice(from, index);
    gaps.push({ at: bare.length, text: gap });
    from = index + gap.length;
  }
  bare += text.slice(from);
  const parts = [...needles].flatMap((needle) => occurrencesOf(needle, bare));
  parts.push(...partsIn(bare, pieces));
  if (parts.length === 0) return text;
  let safe = '';
  let shown = 0;
  let next = 0;
  const showUntil = (end: number, isHidden: boolean) => {
    for (
      let gap = gaps[next];
      gap !== undefined && gap.at <= end && !(isHidden && gap.at === end);
      gap = gaps[next]
    ) {
      safe += isHidden ? gap.text.replace(spaces, '') : bare.slice(shown, gap.at) + gap.text;
      shown = gap.at;
      next += 1;
    }
    if (!isHidden) safe += bare.slice(shown, end);
    shown = end;
  };
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    if (end <= shown) continue;
    if (start >= shown) {
      showUntil(start, false);
      safe += replacement;
    }
    showUntil(end, true);
  }
  showUntil(bare.length, false);
  return safe;
}

interface Part {
  readonly start: number;
  readonly end: number;
}

function occurrencesOf(needle: string, text: string): readonly Part[] {
  const found: Part[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
    found.push({ start: at, end: at + needle.length });
  return found;
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

function withoutParts(text: string, pieces: NumberSet): string {
  let safe = '';
  let shown = 0;
  for (const { start, end } of partsIn(text, pieces)) {
    safe += text.slice(shown, start) + replacement;
    shown = end;
  }
  return safe + text.slice(shown);
}

/** A message may show the beginning of a long word, or the middle of a line. */
function partsIn(text: string, pieces: NumberSet): readonly Part[] {
  const isPiece = (at: number) => pieces.has(hashOfPiece(text, at));
  const parts: Part[] = [];
  let shown = 0;
  for (let at = 0; at + pieceLength <= text.length; at += pieceLength) {
    if (at < shown || !isPiece(at)) continue;
    let start = at;
    while (start > shown && isPiece(start - 1)) start -= 1;
    let end = at + pieceLength;
    while (end < text.length && isPiece(end + 1 - pieceLength)) end += 1;
    if (end - start < partLength) continue;
    parts.push({ start, end });
    shown = end;
  }
  return parts;
}
