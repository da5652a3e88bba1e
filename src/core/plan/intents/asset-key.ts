import { foldText, hashOfFolded } from '../../columns/folded-text.ts';

/**
 * A key in the form in which keys are compared: without letter case. Undefined for a key that identifies no machine,
 * such as the text that a manufacturer leaves in place of a serial number.
 */
export function assetKey(text: string): string | undefined {
  const folded = foldText(text.trim());
  return folded === '' || (!isMixed(folded) && isPlaceholder(folded)) ? undefined : folded;
}

/** The hash of a key, made without its text for most keys; -1 for a key that identifies no machine. */
export function assetKeyHash(text: string): number {
  const trimmed = text.trim();
  return isMixed(trimmed) || assetKey(trimmed) !== undefined ? hashOfFolded(trimmed) : -1;
}

/** Does it have both a letter and a digit? No placeholder has, and most serial numbers do. */
function isMixed(text: string): boolean {
  let seen = 0;
  for (let at = 0; at < text.length && seen !== 3; at += 1) {
    const unit = text.charCodeAt(at);
    const lower = unit | 0x20;
    if (unit >= 0x30 && unit <= 0x39) seen |= 1;
    else if (lower >= 0x61 && lower <= 0x7a) seen |= 2;
  }
  return seen === 3;
}

/** Punctuation and spaces differ between manufacturers. */
function isPlaceholder(folded: string): boolean {
  const plain = folded.replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return plain === '' || placeholders.has(plain) || repeated.test(plain) || counting.has(plain);
}

/** One character, repeated: `0000000`, `XXXXXXXX`. Also `0` alone. */
const repeated = /^(?:(.)\1{2,}|[0x])$/u;

const counting: ReadonlySet<string> = new Set([
  '12345',
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '1234567890',
  '0123456789',
]);

const placeholders: ReadonlySet<string> = new Set([
  'tobefilledbyoem',
  'tobefilledbyoemoem',
  'oem',
  'defaultstring',
  'systemserialnumber',
  'chassisserialnumber',
  'baseboardserialnumber',
  'serialnumber',
  'assettag',
  'noassettag',
  'noassetinformation',
  'notspecified',
  'notapplicable',
  'notavailable',
  'none',
  'null',
  'nil',
  'na',
  'unknown',
  'undefined',
  'invalid',
  'empty',
  'blank',
  'default',
  'tbd',
]);
