import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Compresses a text with gzip. */
export function zipText(text: string): Promise<Buffer> {
  return promisify(gzip)(text);
}

/** Rejects if the bytes are damaged, or if the text is longer than this, in bytes. */
export async function unzipText(bytes: Uint8Array, mostBytes?: number): Promise<string> {
  return (await promisify(gunzip)(bytes, { maxOutputLength: mostBytes })).toString('utf8');
}
