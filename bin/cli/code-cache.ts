import { crc32 } from 'node:zlib';

/** The compiled code of parts of the program, by their names. */
export type CompiledCode = ReadonlyMap<string, Uint8Array>;

const headAt = 8;

/** As one file: a checksum, the length of the head, the names and lengths in JSON, and the code. */
export function packCode(code: CompiledCode): Uint8Array {
  const head = Buffer.from(JSON.stringify(Array.from(code, ([name, { length }]) => [name, length])));
  const packed = Buffer.concat([Buffer.alloc(headAt), head, ...code.values()]);
  packed.writeUInt32LE(head.length, 4);
  packed.writeUInt32LE(crc32(packed.subarray(4)));
  return packed;
}

/** Returns nothing for a damaged file, because V8 does not verify compiled code. */
export function unpackCode(file: Uint8Array): CompiledCode {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const code = new Map<string, Uint8Array>();
  if (bytes.length < headAt || bytes.readUInt32LE() !== crc32(bytes.subarray(4))) return code;
  let at = headAt + bytes.readUInt32LE(4);
  const head = JSON.parse(bytes.toString('utf8', headAt, at)) as readonly (readonly [string, number])[];
  for (const [name, length] of head) {
    code.set(name, bytes.subarray(at, at + length));
    at += length;
  }
  return code;
}
