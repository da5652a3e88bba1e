import type { ResponseMessage } from '../contract/message.ts';

/** A response before it is converted to bytes. */
export interface EmulatedAnswer {
  readonly status: number;
  /** JSON text, or bytes that are reused between calls; the members of a refusal; null: no content. */
  readonly body: string | Uint8Array | RefusalBody | null;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Kept as members until the end, so that members common to every refusal of a path are added in one place. */
interface RefusalBody {
  readonly message: string;
  readonly [member: string]: unknown;
}

const jsonType = 'application/JSON; charset=utf-8';

export const noContent: EmulatedAnswer = { status: 204, body: null, contentType: jsonType };

export function success(body: string | Uint8Array, status = 200): EmulatedAnswer {
  return { status, body, contentType: jsonType };
}

export interface RefusalDetails {
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** More members of the body, in addition to `message`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

export function refusal(status: number, message: string, details: RefusalDetails = {}): EmulatedAnswer {
  return {
    status,
    body: { message, ...details.members },
    contentType: details.contentType ?? jsonType,
    ...(details.headers === undefined ? {} : { headers: details.headers }),
  };
}

/** Adds fields to a refusal; any other response is unchanged. */
export function withMembers(
  answer: EmulatedAnswer,
  members: Readonly<Record<string, unknown>>,
): EmulatedAnswer {
  const { body } = answer;
  return isRefusal(body) ? { ...answer, body: { ...body, ...members } } : answer;
}

function isRefusal(body: EmulatedAnswer['body']): body is RefusalBody {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
}

const encoder = new TextEncoder();

export function toMessage(answer: EmulatedAnswer): ResponseMessage {
  const { status, body, headers } = answer;
  if (body === null) return { status, headers: { ...headers }, body: new Uint8Array() };
  return { status, headers: { 'content-type': answer.contentType, ...headers }, body: toBytes(body) };
}

function toBytes(body: NonNullable<EmulatedAnswer['body']>): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return encoder.encode(typeof body === 'string' ? body : JSON.stringify(body));
}

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}
