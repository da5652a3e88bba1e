import type { Schema } from '../schema/schema.ts';
import type { ConfigOf, KnownConfigOf } from '../schema/values-of.ts';
import type { Path } from '../value/path.ts';
import type { RecordValue } from '../value/value.ts';

/** A message for the user. It must not contain values of sensitive attributes: Terraform hides nothing here. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** One line. */
  readonly summary: string;
  readonly detail?: string;
  /** The position in the configuration: `['hosts', 0, 'name']`. Absent: the whole block. */
  readonly path?: Path;
}

export interface DiagnosticDetails {
  readonly detail?: string;
  readonly path?: Path;
}

export function errorDiagnostic(summary: string, details: DiagnosticDetails = {}): Diagnostic {
  return { severity: 'error', summary, ...details };
}

export function warningDiagnostic(summary: string, details: DiagnosticDetails = {}): Diagnostic {
  return { severity: 'warning', summary, ...details };
}

export function hasErrorDiagnostics(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

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

/** The context of an action while it runs. */
export interface ActionCall<Client> extends ProviderCall<Client> {
  /** Shows a line to the user while the action runs. It must not contain secrets. */
  progress(message: string): void;
}

interface ActionHandlers<Config, KnownConfig, Client> {
  validate?(config: Config): Promised<readonly Diagnostic[]>;
  /** Checks the action in a plan, and changes nothing. Any value may be unknown. */
  plan?(config: Config, call: ProviderCall<Client>): Promised<Reply>;
  /** Called in an apply. It succeeds unless a diagnostic is an error. */
  invoke(config: KnownConfig, call: ActionCall<Client>): Promised<Reply>;
}

/** An action in the form in which its author writes it: a call of Terraform that stores nothing. */
export type ActionDefinition<S extends Schema, Client> = ActionHandlers<
  ConfigOf<S>,
  KnownConfigOf<S>,
  Client
> & { readonly schema: S };

/** The same in the form that the server uses. */
export type ProviderAction<Client> = ActionHandlers<RecordValue, RecordValue, Client> & {
  readonly schema: Schema;
};
