import type { SentMessage } from '../messages/messages.ts';
import { type Diagnostic, errorDiagnostic } from '../provider/diagnostic.ts';
import type { Fault } from '../value/conformity.ts';
import { sentDiagnostics } from './diagnostics.ts';

interface Refusal {
  readonly diagnostics: readonly SentMessage<'Diagnostic'>[];
}

export function refusalOf(summary: string): Refusal {
  return { diagnostics: sentDiagnostics({}, [errorDiagnostic(summary)]) };
}

/** The provider does not offer the called method. */
export function unknownTypeDiagnostic(what: string, name: string): Refusal {
  return refusalOf(`The provider has no ${what} ${name}`);
}

export const notConfigured: Diagnostic = errorDiagnostic('The provider is not configured', {
  detail: 'The call needs the configuration of the provider, which is missing.',
});

/** A handler succeeded without the value that it is there for. */
export const nothingGiven: Fault = { path: [], fault: 'is missing from the result of the provider' };
