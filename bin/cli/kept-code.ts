/** What V8 made of the parts of the program, by their names, as one file: the names and lengths first, in JSON. */
export type KeptCode = ReadonlyMap<string, Uint8Array>;

const sizeOfLength = 4;

export function packCode(kept: KeptCode): Uint8Array {
  const head = Buffer.from(JSON.stringify(Array.from(kept, ([name, { length }]) => [name, length])));
  const length = Buffer.alloc(sizeOfLength);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, ...kept.values()]);
}

/** Nothing, where the file is cut short or is another. */
export function unpackCode(file: Uint8Array): KeptCode {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const kept = new Map<string, Uint8Array>();
  try {
    let at = sizeOfLength + bytes.readUInt32LE();
    for (const [name, length] of JSON.parse(bytes.toString('utf8', sizeOfLength, at))) {
      kept.set(name, bytes.subarray(at, at + length));
      at += length;
    }
    return at === bytes.length ? kept : new Map();
  } catch {
    return new Map();
  }
}
