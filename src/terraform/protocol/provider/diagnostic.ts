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
