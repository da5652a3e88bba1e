/**
 * An encoded field of ASCII text, as it is, without entering the table of fields (RFC 7541, section 6.2.2): a zero, then the
 * name and the value.
 */
export function encodeField(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), encodeText(name), encodeText(value)]);
}

/** The length of a text and its bytes (RFC 7541, section 5.2). */
function encodeText(text: string): Buffer {
  return Buffer.concat([Buffer.from(encodeLength(text.length)), Buffer.from(text, 'latin1')]);
}

/** An integer with seven bits in each byte. The first byte stands for up to 127, and the others add to it. */
function encodeLength(length: number): number[] {
  if (length < 0x7f) return [length];
  const bytes = [0x7f];
  let rest = length - 0x7f;
  for (; rest >= 0x80; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
