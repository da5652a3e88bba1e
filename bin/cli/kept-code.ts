import { crc32 } from 'node:zlib';

/** What V8 made of the parts of the program, by their names. As one file: a checksum, then the names and lengths in JSON. */
export type KeptCode = ReadonlyMap<string, Uint8Array>;

const headAt = 8;

export function packCode(kept: KeptCode): Uint8Array {
  const head = Buffer.from(JSON.stringify(Array.from(kept, ([name, { length }]) => [name, length])));
  const packed = Buffer.concat([Buffer.alloc(headAt), head, ...kept.values()]);
  packed.writeUInt32LE(head.length, 4);
  packed.writeUInt32LE(crc32(packed.subarray(4)));
  return packed;
}

/** Nothing, where the file is damaged or is another: V8 itself would not notice. */
export function unpackCode(file: Uint8Array): KeptCode {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const kept = new Map<string, Uint8Array>();
  if (bytes.length < headAt || bytes.readUInt32LE() !== crc32(bytes.subarray(4))) return kept;
  let at = headAt + bytes.readUInt32LE(4);
  const head = JSON.parse(bytes.toString('utf8', headAt, at)) as readonly (readonly [string, number])[];
  for (const [name, length] of head) {
    kept.set(name, bytes.subarray(at, at + length));
    at += length;
  }
  return kept;
}
