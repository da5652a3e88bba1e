import { foldText, hashOfFolded } from '../../columns/text-hash.ts';

/**
 * A key in the form in which keys are compared: without letter case. Undefined for a key that identifies no machine,
 * such as the text that a manufacturer leaves in place of a serial number.
 */
export function assetKey(text: string): string | undefined {
  const folded = foldText(text.trim());
  return isPlaceholder(folded) ? undefined : folded;
}

/** The hash of a key; -1 for a key that identifies no machine. */
export function assetKeyHash(text: string): number {
  const trimmed = text.trim();
  if (digitAndLetter.test(trimmed)) return hashOfFolded(trimmed);
  const key = assetKey(trimmed);
  return key === undefined ? -1 : hashOfFolded(key);
}

// Most serial numbers have both, and no placeholder has: such a key is hashed without making its folded text.
const digitAndLetter = /^(?=[^0-9]*[0-9])[^a-z]*[a-z]/i;

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
