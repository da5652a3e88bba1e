import type { Method } from './endpoint.ts';

/** HTTP reduced to plain values, which the client and the emulator exchange with or without a socket. */
export interface RequestMessage {
  readonly method: Method | 'PATCH';
  /** The path and query below the service's address. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ResponseMessage {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface ExchangeOptions {
  readonly signal?: AbortSignal;
  /** The time limit of the whole exchange in milliseconds, if it is shorter than the transport's own. */
  readonly atMostMs?: number;
  /**
   * Called immediately before the first byte is written, which may be long after the call. If false, the request is not
   * sent.
   */
  readonly mayStart?: () => boolean;
}

/** One request, one response. Rejects with a `TransportError` if no response came. */
export type Exchange = (request: RequestMessage, options?: ExchangeOptions) => Promise<ResponseMessage>;

export type TransportFailure =
  /** The service can't have received the call: no connection, a refused certificate, an unknown name. */
  | 'not-sent'
  /** The call may have been carried out: the connection broke or the time ran out after sending. */
  | 'reply-lost';

export interface TransportDetails {
  readonly timedOut?: boolean;
  /** The same request would fail in the same way, so it is not sent again. */
  readonly permanent?: boolean;
  /** What the user can do about it. */
  readonly hint?: string;
}

/** An error whose message is shown to users. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly failure: TransportFailure;
  readonly timedOut: boolean;
  readonly permanent: boolean;
  readonly hint: string | undefined;

  constructor(message: string, failure: TransportFailure, details: TransportDetails = {}) {
    super(message);
    this.failure = failure;
    this.timedOut = details.timedOut ?? false;
    this.permanent = details.permanent ?? false;
    this.hint = details.hint;
  }
}
