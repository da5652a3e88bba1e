import { create, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import protobuf from 'protobufjs';

/** The scalar types of the protocol, and the TypeScript type of each. */
const scalars: Readonly<Record<string, readonly [Type, string]>> = {
  string: [Type.STRING, 'string'],
  bytes: [Type.BYTES, 'Uint8Array'],
  bool: [Type.BOOL, 'boolean'],
  int64: [Type.INT64, 'bigint'],
  int32: [Type.INT32, 'number'],
};

const head = `// Written by \`npm run generate\` from src/terraform/protocol/tfplugin6.proto: change that file, not this one.
`;

/**
 * The source of `src/terraform/protocol/generated/messages.ts`: a descriptor for Protobuf-ES, the types of the messages,
 * and the methods.
 */
export function messagesText(proto: string): string {
  const { root, package: name = '' } = protobuf.parse(proto);
  root.resolveAll();
  const messages = messagesIn(root.lookup(name) as protobuf.Namespace);
  const file = create(FileDescriptorProtoSchema, {
    name: `${name}.proto`,
    package: name,
    syntax: 'proto3',
    messageType: messages.map((message) => messageProto(message, name)),
  });
  const descriptor = Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString('base64');
  return [
    head,
    `/** The descriptor of the file in base64. */\nexport const descriptor =\n  '${descriptor}';\n`,
    '/** The messages by name, as they are read: only messages and optional fields can be undefined. */',
    'export interface ReceivedMessages {',
    ...messages.flatMap((message) => [message, ...messagesIn(message)]).map((each) => typeText(each, name)),
    '}\n',
    ...methodsText(root.lookupService(`${name}.Provider`)),
  ].join('\n');
}

function methodsText({ methodsArray }: protobuf.Service): readonly string[] {
  const table = (isStream: boolean) =>
    methodsArray
      .filter(({ responseStream = false }) => responseStream === isStream)
      .map(({ name, requestType, responseType }) => `  ${name}: ['${requestType}', '${responseType}'],`);
  return [
    '/** The methods with one response, with their request and response messages. */',
    'export const methods = {',
    ...table(false),
    '} as const;\n',
    '/** The methods that answer with a stream, with their request messages and the message of each event. */',
    'export const streams = {',
    ...table(true),
    '} as const;\n',
  ];
}

function messagesIn(namespace: protobuf.Namespace): readonly protobuf.Type[] {
  return namespace.nestedArray.filter((each) => each instanceof protobuf.Type);
}

function messageProto(message: protobuf.Type, file: string): DescriptorProto {
  const fields = message.fieldsArray;
  const optional = fields.filter(isOptional).map(({ name }) => name);
  const maps = fields.filter((field) => field instanceof protobuf.MapField);
  return create(DescriptorProtoSchema, {
    name: message.name,
    field: fields.map((field) => {
      const { id, name } = field;
      const entry = `.${file}.${nameOf(message, file)}.${name}Entry`;
      if (field instanceof protobuf.MapField) return fieldProto(name, id, entry, Label.REPEATED);
      const label = field.repeated ? Label.REPEATED : Label.OPTIONAL;
      const proto = fieldProto(name, id, kindOf(field, file), label);
      // An optional field is the only one of its group.
      return isOptional(field)
        ? { ...proto, proto3Optional: true, oneofIndex: optional.indexOf(name) }
        : proto;
    }),
    oneofDecl: optional.map((name) => ({ name: `_${name}` })),
    nestedType: [
      // A map is a list of messages with a key and a value.
      ...maps.map((field) => ({
        name: `${field.name}Entry`,
        field: [
          fieldProto('key', 1, 'string', Label.OPTIONAL),
          fieldProto('value', 2, kindOf(field, file), Label.OPTIONAL),
        ],
        options: { mapEntry: true },
      })),
      ...messagesIn(message).map((each) => messageProto(each, file)),
    ],
  });
}

function isOptional(field: protobuf.Field): boolean {
  return field.options?.['proto3_optional'] === true;
}

/** The name of a scalar type, or the full name of a message. */
function kindOf(field: protobuf.Field, file: string): string {
  return field.resolvedType instanceof protobuf.Type
    ? `.${file}.${nameOf(field.resolvedType, file)}`
    : field.type;
}

function fieldProto(name: string, number: number, kind: string, label: Label): FieldDescriptorProto {
  const [scalar] = scalars[kind] ?? [];
  const type = scalar === undefined ? { type: Type.MESSAGE, typeName: kind } : { type: scalar };
  return create(FieldDescriptorProtoSchema, { name, number, label, ...type });
}

/** The name of a message within the file: `GetMetadata.Response`. */
function nameOf(message: protobuf.Type, file: string): string {
  return message.fullName.slice(`.${file}.`.length);
}

function typeText(message: protobuf.Type, file: string): string {
  const fields = message.fieldsArray.map((field) => `    readonly ${field.name}: ${fieldType(field, file)};`);
  return [`  readonly '${nameOf(message, file)}': {`, ...fields, '  };'].join('\n');
}

function fieldType(field: protobuf.Field, file: string): string {
  const message = field.resolvedType instanceof protobuf.Type ? field.resolvedType : undefined;
  const single =
    message === undefined ? scalars[field.type]?.[1] : `ReceivedMessages['${nameOf(message, file)}']`;
  if (single === undefined) throw new Error(`the type ${field.type} of ${field.fullName} is not supported`);
  if (field instanceof protobuf.MapField) return `Readonly<Record<string, ${single}>>`;
  if (field.repeated) return `readonly ${single}[]`;
  return message !== undefined || isOptional(field) ? `${single} | undefined` : single;
}
