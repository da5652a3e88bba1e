import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConnectionError } from '../../../../src/terraform/protocol/http2/connection-error.ts';
import { encodeField } from '../../../../src/terraform/protocol/http2/encode-field.ts';
import { FieldDecoder } from '../../../../src/terraform/protocol/http2/field-decoder.ts';
import { decodeHuffman } from '../../../../src/terraform/protocol/http2/huffman.ts';

const limit = 16_384;
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const decodeAll = (...blocks: readonly string[]) => {
  const decoder = new FieldDecoder();
  return blocks.map((block) =>
    decoder.decode(hex(block), limit)?.map(({ name, value }) => `${name}: ${value}`),
  );
};

const requests = [
  [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'],
  [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com', 'cache-control: no-cache'],
  [
    ':method: GET',
    ':scheme: https',
    ':path: /index.html',
    ':authority: www.example.com',
    'custom-key: custom-value',
  ],
];
const answers = [
  [
    ':status: 302',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:21 GMT',
    'location: https://www.example.com',
  ],
  [
    ':status: 307',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:21 GMT',
    'location: https://www.example.com',
  ],
  [
    ':status: 200',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:22 GMT',
    'location: https://www.example.com',
    'content-encoding: gzip',
    'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
  ],
];
/** A change of the table's limit to 256 bytes. */
const small = '3fe101';

describe('the examples of RFC 7541, appendix C', () => {
  test.each([
    ['2.1', ['400a637573746f6d2d6b65790d637573746f6d2d686561646572'], [['custom-key: custom-header']]],
    ['2.2', ['040c2f73616d706c652f70617468'], [[':path: /sample/path']]],
    ['2.3', ['100870617373776f726406736563726574'], [['password: secret']]],
    ['2.4', ['82'], [[':method: GET']]],
    [
      '3',
      [
        '828684410f7777772e6578616d706c652e636f6d',
        '828684be58086e6f2d6361636865',
        '828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565',
      ],
      requests,
    ],
    [
      '4',
      [
        '828684418cf1e3c2e5f23a6ba0ab90f4ff',
        '828684be5886a8eb10649cbf',
        '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
      ],
      requests,
    ],
    [
      '5',
      [
        `${small}4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d`,
        '4803333037c1c0bf',
      ],
      answers.slice(0, 2),
    ],
    [
      '6',
      [
        `${small}488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3`,
        '4883640effc1c0bf',
        '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
      ],
      answers,
    ],
  ])('C.%s', (_, blocks, fields) => {
    expect(decodeAll(...blocks)).toEqual(fields);
  });
});

describe('a block of fields', () => {
  test.each([
    ['names an index of 0', '80'],
    ['names an index beyond the table', 'be'],
    ['names the name of a field beyond the table', '7e0161'],
    ['ends within an integer', 'ff'],
    ['has an integer that is too long', 'ffffffffffffff7f'],
    ['ends before a value', '000161'],
    ['ends within a text', '00056162'],
    ['has padding of zeros', '0001618118'],
    ['has padding of a whole byte', '000161821fff'],
    ['has the code that ends a text', '00016184ffffffff'],
    ['makes the table larger than the setting', '3fe21f'],
    ['changes the table after a field', '8220'],
  ])('is refused if it %s', (_, block) => {
    expect(() => decodeAll(block)).toThrow(ConnectionError);
    expect(() => decodeAll(block)).toThrow(expect.objectContaining({ code: 9 }));
  });

  test('may empty the table and fill it again', () => {
    expect(decodeAll('4001610162', 'be', '203fe11f4001630164', 'be')).toEqual([
      ['a: b'],
      ['a: b'],
      ['c: d'],
      ['c: d'],
    ]);
    expect(() => decodeAll('4001610162', '20', 'be')).toThrow('The table has no field 62');
  });

  test('may contain a field larger than the table, which empties it', () => {
    const long = `4001617f${'e13e'}${'62'.repeat(127 + 0x61 + 0x3e * 128)}`;
    expect(() => decodeAll('4001610162', long, 'be')).toThrow('The table has no field 62');
  });

  test('is too long by the sum of its fields, and still fills the table', () => {
    const decoder = new FieldDecoder();
    const field = encodeField('a', 'b'.repeat(100));
    expect(decoder.decode(Buffer.concat([field, hex('4001630164')]), 100)).toBeNull();
    expect(decoder.decode(hex('be'), 34)).toEqual([{ name: 'c', value: 'd' }]);
    expect(decoder.decode(hex('be'), 33)).toBeNull();
  });

  test('of any bytes is decoded or refused', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 8 }), (blocks) => {
        const decoder = new FieldDecoder();
        try {
          for (const block of blocks) decoder.decode(Buffer.from(block), limit);
        } catch (error) {
          expect(error).toBeInstanceOf(ConnectionError);
        }
      }),
    );
  });

  test('with an encoded field of any length gives the field', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
      fc.string({ unit: 'grapheme-ascii', minLength: 10_000, maxLength: 20_000 }),
    );
    fc.assert(
      fc.property(text, text, (name, value) => {
        const decoder = new FieldDecoder();
        expect(decoder.decode(encodeField(name, value), 100_000)).toEqual([{ name, value }]);
      }),
      { numRuns: 30 },
    );
  });
});

/** The last code of each length in RFC 7541, appendix B, after which a code of another length begins. */
test.each([
  [116, 0x9, 5],
  [117, 0x2d, 6],
  [122, 0x7b, 7],
  [90, 0xfd, 8],
  [63, 0x3fc, 10],
  [124, 0x7fc, 11],
  [62, 0xffb, 12],
  [126, 0x1ffd, 13],
  [125, 0x3ffd, 14],
  [123, 0x7ffe, 15],
  [208, 0x7fff2, 19],
  [226, 0xfffed, 20],
  [230, 0x1fffe8, 21],
  [233, 0x3fffeb, 22],
  [239, 0x7ffff4, 23],
  [237, 0xfffff5, 24],
  [235, 0x1ffffef, 25],
  [255, 0x3ffffee, 26],
  [254, 0x7fffff0, 27],
  [249, 0xffffffe, 28],
  [22, 0x3ffffffe, 30],
])('the byte %i has the Huffman code %i of %i bits', (byte, code, length) => {
  const bits = code.toString(2).padStart(length, '0');
  const bytes = Buffer.from(
    (bits.padEnd(32, '1').match(/.{8}/g) ?? []).map((each) => Number.parseInt(each, 2)),
  );
  expect(decodeHuffman(bytes, 0, Math.ceil(length / 8))).toBe(String.fromCharCode(byte));
});
