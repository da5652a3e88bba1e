import type { SentMessage } from '../messages/messages.ts';
import { log } from '../plugin/log.ts';
import { type Diagnostic, errorDiagnostic, type Reply } from '../provider/call.ts';
import { shownPath } from '../schema/attribute-path.ts';
import type { BlockBody } from '../schema/schema.ts';
import type { Fault } from '../value/conformity.ts';
import { formatPath } from '../value/path.ts';

const severities = { error: 1, warning: 2 } as const;

export function sentDiagnostics(
  body: BlockBody,
  diagnostics: readonly Diagnostic[],
): readonly SentMessage<'Diagnostic'>[] {
  return diagnostics.map(({ severity, summary, detail = '', path }) => {
    const shown = path === undefined || path.length === 0 ? null : shownPath(body, path);
    const place = shown === null || shown.cut === null ? '' : `At ${shown.cut}.`;
    return {
      severity: severities[severity],
      summary: summary.toWellFormed(),
      detail: [detail.toWellFormed(), place].filter((each) => each !== '').join('\n\n'),
      ...(shown !== null && (shown.message.steps ?? []).length > 0 ? { attribute: shown.message } : {}),
    };
  });
}

/** Configuration that breaks its schema. */
export function configDiagnostics(faults: readonly Fault[]): readonly Diagnostic[] {
  return faults.map(({ path, fault }) =>
    errorDiagnostic('Invalid configuration', { detail: `${formatPath(path)}: ${fault}.`, path }),
  );
}

/** An invalid result of a handler, reported in our words before Terraform reports it in its own. */
export function defectDiagnostics(summary: string, faults: readonly Fault[]): readonly Diagnostic[] {
  if (faults.length === 0) return [];
  const listed = faults.map(({ path, fault }) => `  - ${formatPath(path) || 'the whole'}: ${fault}`);
  return [
    errorDiagnostic(summary, {
      detail: `${listed.join('\n')}\n\nThis is a bug in the provider: please report it to its developers.`,
    }),
  ];
}

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

/** The result of a handler, or a diagnostic if it throws: Terraform shows thrown errors with their stack. */
export async function guarded<T extends object>(
  what: string,
  run: () => T | Promise<T>,
): Promise<Partial<T> & Reply> {
  try {
    return await run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log('error', `${what} failed`, { error: error instanceof Error ? (error.stack ?? message) : message });
    const reply: Reply = {
      diagnostics: [
        errorDiagnostic(`${what} failed unexpectedly`, {
          detail: `${message}\n\nThis is a bug in the provider: please report it to its developers.`,
        }),
      ],
    };
    return reply as Partial<T> & Reply;
  }
}
