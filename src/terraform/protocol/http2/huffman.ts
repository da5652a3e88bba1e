/** The bytes that each length of code, in bits, stands for, in the order of their codes (RFC 7541, appendix B). */
const bytesByLength: readonly (readonly [number, string])[] = [
  [5, '012aceiost'],
  [6, ' %-./3456789=A_bdfghlmnpru'],
  [7, ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz'],
  [8, '&*,;XZ'],
  [10, '!"()?'],
  [11, "'+|"],
  [12, '#>'],
  [13, '\x00$@[]~'],
  [14, '^}'],
  [15, '<`{'],
  [19, '\\\xc3\xd0'],
  [20, '\x80\x82\x83\xa2\xb8\xc2\xe0\xe2'],
  [21, '\x99\xa1\xa7\xac\xb0\xb1\xb3\xd1\xd8\xd9\xe3\xe5\xe6'],
  [
    22,
    '\x81\x84\x85\x86\x88\x92\x9a\x9c\xa0\xa3\xa4\xa9\xaa\xad\xb2\xb5\xb9\xba\xbb\xbd\xbe\xc4\xc6\xe4\xe8\xe9',
  ],
  [
    23,
    '\x01\x87\x89\x8a\x8b\x8c\x8d\x8f\x93\x95\x96\x97\x98\x9b\x9d\x9e\xa5\xa6\xa8\xae\xaf\xb4\xb6\xb7\xbc\xbf\xc5\xe7\xef',
  ],
  [24, '\x09\x8e\x90\x91\x94\x9f\xab\xce\xd7\xe1\xec\xed'],
  [25, '\xc7\xcf\xea\xeb'],
  [26, '\xc0\xc1\xc8\xc9\xca\xcd\xd2\xd5\xda\xdb\xee\xf0\xf2\xf3\xff'],
  [27, '\xcb\xcc\xd3\xd4\xd6\xdd\xde\xdf\xf1\xf4\xf5\xf6\xf7\xf8\xfa\xfb\xfc\xfd\xfe'],
  [
    28,
    '\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12\x13\x14\x15\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f\xdc\xf9',
  ],
  [30, '\x0a\x0d\x16'],
];

interface Codes {
  /** The first code of this length; the others follow it. */
  readonly first: number;
  readonly bytes: string;
}

const longest = 30;
const codesByLength: readonly Codes[] = canonicalCodes();

/** In a canonical code, codes of one length count up, and those of the next continue with one more bit. */
function canonicalCodes(): Codes[] {
  const lengths = new Map(bytesByLength);
  let next = 0;
  return Array.from({ length: longest + 1 }, (_, length) => {
    const bytes = lengths.get(length) ?? '';
    const first = next << 1;
    next = first + bytes.length;
    return { first, bytes };
  });
}

/** The text of Huffman code between two positions, a character per byte; null if it is not valid code. */
export function decodeHuffman(source: Uint8Array, start: number, end: number): string | null {
  let text = '';
  let code = 0;
  let length = 0;
  for (let at = start; at < end; at += 1) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = (code << 1) | (((source[at] as number) >> bit) & 1);
      length += 1;
      const codes = codesByLength[length];
      if (codes === undefined) return null;
      const byte = codes.bytes[code - codes.first];
      if (byte === undefined) continue;
      text += byte;
      code = 0;
      length = 0;
    }
  }
  // The rest of the last byte is filled with ones.
  return length < 8 && code === (1 << length) - 1 ? text : null;
}
