import { codecOf } from '../protobuf/codec.ts';
import type { DecodedMessage, MessageInput } from '../protobuf/message-table.ts';
import { actionMessages } from './action-messages.ts';
import { callMessages } from './call-messages.ts';
import { listMessages } from './list-messages.ts';
import { resourceMessages } from './resource-messages.ts';
import { schemaMessages } from './schema-messages.ts';
import { sharedMessages } from './shared-messages.ts';

/** Every message of `tfplugin6` that this provider speaks. Messages of one shape share an entry. */
export const messages = {
  ...sharedMessages,
  ...schemaMessages,
  ...resourceMessages,
  ...callMessages,
  ...listMessages,
  ...actionMessages,
} as const;

export const messageCodec = codecOf(messages);

export type MessageName = keyof typeof messages;
export type Received<Name extends MessageName> = DecodedMessage<typeof messages, Name>;
export type SentMessage<Name extends MessageName> = MessageInput<typeof messages, Name>;
