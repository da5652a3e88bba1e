import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of the text's UTF-8 bytes, as lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** SHA-256 of the text's UTF-8 bytes in base64, as a Content-Security-Policy names what it allows. */
export function sha256Base64(text: string): string {
  return btoa(String.fromCharCode(...sha256(utf8ToBytes(text))));
}
