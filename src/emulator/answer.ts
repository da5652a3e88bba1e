import type { ResponseMessage } from '../contract/message.ts';

/** A response before it is bytes. */
export interface Answer {
  readonly status: number;
  /** JSON text, or its bytes where they are kept from call to call; null: no content. */
  readonly body: string | Uint8Array | null;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const jsonType = 'application/JSON; charset=utf-8';

export const noContent: Answer = { status: 204, body: null, contentType: jsonType };

export function success(body: string | Uint8Array, status = 200): Answer {
  return { status, body, contentType: jsonType };
}

export interface RefusalDetails {
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** More members of the body, beside `message`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

export function refusal(status: number, message: string, details: RefusalDetails = {}): Answer {
  return {
    status,
    body: JSON.stringify({ message, ...details.members }),
    contentType: details.contentType ?? jsonType,
    ...(details.headers === undefined ? {} : { headers: details.headers }),
  };
}

const encoder = new TextEncoder();

export function toMessage(answer: Answer): ResponseMessage {
  const { status, body, headers } = answer;
  if (body === null) return { status, headers: { ...headers }, body: new Uint8Array() };
  return {
    status,
    headers: { 'content-type': answer.contentType, ...headers },
    body: typeof body === 'string' ? encoder.encode(body) : body,
  };
}

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}
