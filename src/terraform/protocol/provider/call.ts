import type { Path } from '../value/path.ts';

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
