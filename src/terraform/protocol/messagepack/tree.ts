import { Decoder, Encoder, ExtData, type ExtensionCodecType } from '@msgpack/msgpack';

export { ExtData } from '@msgpack/msgpack';

/** The codes of unknown values: without and with refinements. */
export const plainCode = 0;
export const refinedCode = 12;

/** Bytes that are not a value. */
export class MessagePackError extends Error {}

/** The values of MessagePack, independent of their type. Texts are bytes. Keys of maps begin with `keyMark`. */
export type MessagePackTree =
  | null
  | boolean
  | number
  | bigint
  | Uint8Array
  | ExtData
  | readonly MessagePackTree[]
  | TreeMap;

export interface TreeMap {
  readonly [key: string]: MessagePackTree;
}

/** The values that can be written. Integers of more than 32 bits are bigints. */
export type WritableTree =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | ExtData
  | readonly WritableTree[]
  | { readonly [key: string]: WritableTree };

/** The library refuses the key `__proto__`, which is a valid name here. */
const keyMark = '.';
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws a MessagePackError if the bytes are not UTF-8. The library would read them as another text. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new MessagePackError('a text that is not UTF-8');
  }
}

export function entriesOf(map: TreeMap): readonly (readonly [string, MessagePackTree])[] {
  return Object.entries(map).map(([key, tree]) => {
    if (!key.startsWith(keyMark)) throw new MessagePackError('a key that is a number');
    return [key.slice(keyMark.length), tree];
  });
}

export function isTreeMap(tree: MessagePackTree): tree is TreeMap {
  return (
    typeof tree === 'object' &&
    tree !== null &&
    !Array.isArray(tree) &&
    !(tree instanceof Uint8Array) &&
    !(tree instanceof ExtData)
  );
}

/** The keys that were read, by their bytes: the members of a schema come again and again. */
const keys = new Map<string, string>();
const mostKeys = 1_000;

function keyIn(bytes: Uint8Array, at: number, length: number): string {
  const own = Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('latin1');
  const known = keys.get(own);
  if (known !== undefined) return known;
  const key = keyMark + decodeText(bytes.subarray(at, at + length));
  if (keys.size < mostKeys) keys.set(own, key);
  return key;
}

const extensionCodec: ExtensionCodecType<undefined> = {
  tryToEncode: (value) => (value instanceof ExtData ? value : null),
  decode: (body, code) => new ExtData(code, body),
};

const treeDecoder = new Decoder({
  useBigInt64: true,
  rawStrings: true,
  extensionCodec,
  keyDecoder: {
    canBeCached: () => true,
    decode: keyIn,
  },
});

const treeEncoder = new Encoder({
  useBigInt64: true,
  maxDepth: Number.POSITIVE_INFINITY,
  extensionCodec,
});

/** Throws a MessagePackError. */
export function readMessagePackTree(bytes: Uint8Array): MessagePackTree {
  try {
    return treeDecoder.decode(bytes) as MessagePackTree;
  } catch (error) {
    throw error instanceof MessagePackError ? error : new MessagePackError(String(error));
  }
}

export function writeTree(tree: WritableTree): Uint8Array {
  return treeEncoder.encode(tree);
}
