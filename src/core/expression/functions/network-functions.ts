import { quoted } from '../../lib/words.ts';
import { faultAbout, spend } from '../running/running.ts';
import type { FunctionSource } from './function-source.ts';

/** Functions for IP addresses. A text may list several addresses, separated by commas, as inventory does. */
export const networkFunctions: readonly FunctionSource[] = [
  {
    signature: 'string.inNetwork(string): bool',
    about:
      'whether an address in the text (several are separated by commas) is in a network such as "10.20.0.0/16"',
    run: (text: string, network: string) => {
      const { address, prefix } = readNetwork(network);
      const parts = addressesIn(text);
      return parts.some((part) => {
        const found = readAddress(part);
        if (found === undefined || found.bits !== address.bits) return false;
        const shift = BigInt(address.bits - prefix);
        return found.value >> shift === address.value >> shift;
      });
    },
  },
  {
    signature: 'string.isAddress(): bool',
    about: 'whether the text is one IPv4 or IPv6 address',
    run: (text: string) => readAddress(text) !== undefined,
  },
];

interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

function addressesIn(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  spend(parts.length);
  return parts;
}

function readNetwork(text: string): { readonly address: Address; readonly prefix: number } {
  const [first = '', length = ''] = text.split('/', 2);
  const address = readAddress(first);
  const prefix = Number(length);
  if (address === undefined || !/^\d{1,3}$/.test(length) || prefix > address.bits) {
    throw faultAbout`inNetwork(${quoted(text)}): this is not a network such as "10.20.0.0/16"`;
  }
  return { address, prefix };
}

function readAddress(text: string): Address | undefined {
  if (text.length > 45) return undefined;
  if (!text.includes(':')) return readFour(text);
  const words = wordsOf(text);
  if (words === undefined) return undefined;
  return { bits: 128, value: words.reduce((value, word) => (value << 16n) | BigInt(word), 0n) };
}

function readFour(text: string): Address | undefined {
  const parts = text.split('.');
  const isValid =
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  if (!isValid) return undefined;
  return { bits: 32, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) };
}

/** The eight words of an IPv6 address (RFC 4291, section 2.2). */
function wordsOf(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [left, right] = halves.map(halfOf);
  if (left === undefined) return undefined;
  if (halves.length === 1) return left.length === 8 ? left : undefined;
  if (right === undefined || left.length + right.length > 7) return undefined;
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

function halfOf(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const words: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const four = index === parts.length - 1 && part.includes('.') ? readFour(part) : undefined;
    if (four !== undefined) words.push(Number(four.value >> 16n), Number(four.value & 0xffffn));
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) words.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return words;
}
