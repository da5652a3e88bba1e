import type { SentMessage } from '../messages/messages.ts';
import { type Diagnostic, errorDiagnostic } from '../provider/diagnostic.ts';
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
