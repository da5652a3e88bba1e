import type { Diagnostic } from './diagnostic.ts';

/** The context of every handler, in addition to its input. */
export interface ProviderCall<Client> {
  /** The result of `configure` for this connection. */
  readonly client: Client;
  /** Aborts when the user interrupts Terraform, when the call is cancelled and when the connection is lost. */
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Private data of a resource, which Terraform stores and never shows: any JSON. It is not encrypted, so it must not
 * contain secrets.
 */
export interface PrivateReply {
  /** Absent: unchanged. */
  readonly private?: unknown;
}

export type Promised<T> = T | Promise<T>;
