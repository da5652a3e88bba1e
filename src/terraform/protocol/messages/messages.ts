import {
  create,
  createRegistry,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import { fileDesc } from '@bufbuild/protobuf/codegenv2';
import { descriptor, type methods, type ReceivedMessages, type streams } from '../generated/messages.ts';

/** Every message of `tfplugin6` that this provider speaks. Messages of one shape share an entry. */
export type MessageName = keyof ReceivedMessages;
export type MethodName = keyof typeof methods;
export type StreamName = keyof typeof streams;
export type Received<Name extends MessageName> = ReceivedMessages[Name];
/** A message to send: missing fields have their zero value. */
export type SentMessage<Name extends MessageName> = Init<ReceivedMessages[Name]>;

type Init<T> = T extends string | bigint | number | boolean | Uint8Array | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Init<Item>[]
    : { readonly [Key in keyof T]?: Init<T[Key]> | undefined };

const registry = createRegistry(fileDesc(descriptor));

export const messageCodec = {
  encode<Name extends MessageName>(name: Name, message: SentMessage<Name>): Uint8Array {
    const schema = schemaOf(name);
    return toBinary(schema, create(schema, message as MessageInitShape<DescMessage>));
  },
  /** Throws an Error if the bytes are not a message. Unknown fields are skipped. */
  decode<Name extends MessageName>(name: Name, bytes: Uint8Array): Received<Name> {
    return fromBinary(schemaOf(name), bytes, { readUnknownFields: false }) as unknown as Received<Name>;
  },
};

function schemaOf(name: MessageName): DescMessage {
  return registry.getMessage(`tfplugin6.${name}`) as DescMessage;
}
