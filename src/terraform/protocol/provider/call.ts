import type { Diagnostic } from './diagnostic.ts';

/** The context of every handler, in addition to its input. */
export interface ProviderCall<Client> {
  /** The result of `configure` for this connection. */
  readonly client: Client;
  /** Aborts when the user interrupts Terraform, when the call is cancelled and when the connection is lost. */
  readonly signal: AbortSignal;
  readonly terraformVersion: string;
}

/** Why an answer must wait for a later run. Terraform rarely allows this; if it does not, it becomes an error. */
export type DeferredReason = 'resource-config-unknown' | 'provider-config-unknown' | 'absent-prerequisite';

export interface Reply {
  readonly diagnostics?: readonly Diagnostic[];
}

export interface DeferrableReply extends Reply {
  readonly deferred?: DeferredReason;
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
