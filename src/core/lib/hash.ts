import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { inChunks } from './in-chunks.ts';

/** SHA-256 of the text's UTF-8 bytes, as lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The hash of the concatenated pieces, without concatenating them. */
export function sha256HexOf(pieces: Iterable<string>): string {
  const hash = sha256.create();
  for (const chunk of inChunks(pieces)) hash.update(utf8ToBytes(chunk));
  return bytesToHex(hash.digest());
}

/** SHA-256 of the text's UTF-8 bytes in base64, as a Content-Security-Policy needs it. */
export function sha256Base64(text: string): string {
  return btoa(String.fromCharCode(...sha256(utf8ToBytes(text))));
}
