/** Writes the strings of the SSH protocol (RFC 4251, section 5): four bytes of length, then the bytes. */
export function sshString(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Reads values of the SSH protocol. Each returns undefined at the end of the bytes. */
export interface SshReader {
  string(): Buffer | undefined;
  uint32(): number | undefined;
  bytes(count: number): Buffer | undefined;
  isAtEnd(): boolean;
}

export function sshReader(blob: Buffer): SshReader {
  let at = 0;
  const bytes = (count: number) => {
    if (count > blob.length - at) return undefined;
    at += count;
    return blob.subarray(at - count, at);
  };
  const uint32 = () => bytes(4)?.readUInt32BE();
  return {
    bytes,
    uint32,
    string() {
      const length = uint32();
      return length === undefined ? undefined : bytes(length);
    },
    isAtEnd: () => at === blob.length,
  };
}
