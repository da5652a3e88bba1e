import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import type { DecodedMessage, MessageField, MessageInput, MessageTable, Scalars } from './message-table.ts';

export interface Codec<T extends MessageTable> {
  encode<Name extends keyof T>(name: Name, message: MessageInput<T, Name>): Uint8Array;
  /** Throws an Error if the bytes are not a message. Fields that the table does not know are skipped. */
  decode<Name extends keyof T>(name: Name, bytes: Uint8Array): DecodedMessage<T, Name>;
}

/** Protobuf-ES reads and writes the messages of a table as if they came from a compiled file. */
export function codecOf<T extends MessageTable>(table: T): Codec<T> {
  const file = create(FileDescriptorProtoSchema, {
    name: 'messages.proto',
    syntax: 'proto3',
    messageType: Object.entries(table).map(([name, fields]) =>
      messageProto(nameOf(name), Object.entries(fields)),
    ),
  });
  const registry = createFileRegistry(file, () => undefined);
  const schemaOf = (name: keyof T): DescMessage => registry.getMessage(nameOf(String(name))) as DescMessage;
  return {
    encode: (name, message) => {
      const schema = schemaOf(name);
      return toBinary(schema, create(schema, message as MessageInitShape<DescMessage>));
    },
    decode: <Name extends keyof T>(name: Name, bytes: Uint8Array) =>
      fromBinary(schemaOf(name), bytes, { readUnknownFields: false }) as unknown as DecodedMessage<T, Name>,
  };
}

/** The name of a message within the file, where a dot would mean a message within another. */
function nameOf(message: string): string {
  return message.replace('.', '_');
}

const scalarTypes: Readonly<Record<keyof Scalars, Type>> = {
  string: Type.STRING,
  bytes: Type.BYTES,
  bool: Type.BOOL,
  int64: Type.INT64,
  int32: Type.INT32,
};

function messageProto(name: string, fields: readonly (readonly [string, MessageField])[]): DescriptorProto {
  const optional = fields.filter(([, [, , label]]) => label === 'optional').map(([key]) => key);
  const maps = fields.filter(([, [, , label]]) => label === 'map');
  return create(DescriptorProtoSchema, {
    name,
    field: fields.map(([key, [number, kind, label]]) => {
      if (label === 'map') return fieldProto(key, number, `${name}.${key}Entry`, Label.REPEATED);
      const single = fieldProto(
        key,
        number,
        nameOf(kind),
        label === 'repeated' ? Label.REPEATED : Label.OPTIONAL,
      );
      // A field that distinguishes unset from zero is the one member of a group.
      return label === 'optional'
        ? { ...single, proto3Optional: true, oneofIndex: optional.indexOf(key) }
        : single;
    }),
    oneofDecl: optional.map((key) => ({ name: `_${key}` })),
    // A map is a list of messages with a key and a value.
    nestedType: maps.map(([key, [, kind]]) => ({
      name: `${key}Entry`,
      field: [
        fieldProto('key', 1, 'string', Label.OPTIONAL),
        fieldProto('value', 2, nameOf(kind), Label.OPTIONAL),
      ],
      options: { mapEntry: true },
    })),
  });
}

function fieldProto(name: string, number: number, kind: string, label: Label): FieldDescriptorProto {
  const scalar = Object.hasOwn(scalarTypes, kind) ? scalarTypes[kind as keyof Scalars] : undefined;
  const type = scalar === undefined ? { type: Type.MESSAGE, typeName: `.${kind}` } : { type: scalar };
  return create(FieldDescriptorProtoSchema, { name, number, label, ...type });
}
