import { randomUUID } from 'node:crypto';
import type { EncodedValue } from '../sources/script-output.ts';
import { decodeFleet } from './decode-fleet.ts';
import { encodeFleet } from './sandbox/encode-fleet.ts';

/** Encodes a value of this process as the text that YAML would have for it, with exact integers. */
export function encodeValue(value: unknown): EncodedValue {
  const mark = randomUUID();
  return decodeFleet(JSON.parse(encodeFleet(value, mark)), mark) as EncodedValue;
}
