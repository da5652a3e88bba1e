/** Requests to the thread of the embedded database. */
export interface PgliteRequest {
  readonly id: number;
  readonly kind: 'query' | 'exec' | 'listen' | 'unlisten' | 'close';
  /** SQL, or the name of a channel. */
  readonly text: string;
  readonly parameters?: readonly unknown[];
  readonly rowMode?: 'array' | 'object';
}

/** Messages of the thread. A response has the id of its request. */
export type PgliteReply =
  | { readonly kind: 'opened' }
  | { readonly kind: 'not-opened'; readonly error: SentError }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'notification'; readonly channel: string; readonly payload: string };

/** An error of PostgreSQL: a thread receives only the message of an error, and not its code. */
export interface SentError {
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly detail?: string;
}
