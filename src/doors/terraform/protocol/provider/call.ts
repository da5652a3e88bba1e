import type { Diagnostic } from './diagnostic.ts';

/** What every handler is given beside its input. */
export interface Call<Client> {
  /** What `configure` made for this connection. */
  readonly client: Client;
  /** Aborts when the user interrupts Terraform, when the call is cancelled and when the connection is lost. */
  readonly signal: AbortSignal;
  readonly terraformVersion: string;
}

/** Why an answer has to wait for a later run. Terraform rarely allows it; where it does not, it becomes an error. */
export type DeferredReason = 'resource-config-unknown' | 'provider-config-unknown' | 'absent-prerequisite';

export interface Reply {
  readonly diagnostics?: readonly Diagnostic[];
}

export interface DeferrableReply extends Reply {
  readonly deferred?: DeferredReason;
}

/** Data of a resource that Terraform stores and nobody sees: any JSON. It is not encrypted: no secrets. */
export interface PrivateReply {
  /** Absent: stays as it is. */
  readonly private?: unknown;
}

export type Promised<T> = T | Promise<T>;
