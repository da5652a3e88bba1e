import { z } from 'zod';
import { count, grouped } from '../../../core/lib/words.ts';
import { changeKinds } from '../../../core/model/policy.ts';
import { oneChange } from '../../../core/plan/guards/guard.ts';
import type { AuditRecord } from '../../../run/state/audit/audit-record.ts';

/** Facts of records that show how an act ended. Another version may have written others. */
const facts = z.object({
  exit_code: z.int().optional().catch(undefined),
  steps: z.int().optional().catch(undefined),
  outcomes: z.record(z.string(), z.int()).optional().catch(undefined),
  given: z.int().optional().catch(undefined),
  required: z.int().optional().catch(undefined),
  accounts: z.int().optional().catch(undefined),
  approvals: z.record(z.string(), z.int()).optional().catch(undefined),
});

/** How the act of a record ended, and the reason that a person gave. Empty if the record has neither. */
export function recordText({ kind, what, origin }: Pick<AuditRecord, 'kind' | 'what' | 'origin'>): string {
  const reason = origin.reason === undefined ? [] : [`"${origin.reason}"`];
  return [...outcomeOf(kind, facts.parse(what)), ...reason].join(', ');
}

function outcomeOf(kind: string, known: z.output<typeof facts>): readonly string[] {
  const { exit_code: exitCode, steps, outcomes, given, required, accounts, approvals } = known;
  if (kind === 'run-ended' && steps !== undefined) {
    const { done = 0, already = 0, ...others } = outcomes ?? {};
    const rest = Object.entries(others).map(
      ([outcome, number]) => `${grouped(number)} ${outcomeWords[outcome] ?? outcome}`,
    );
    return [
      `${grouped(done + already)} of ${count(steps, 'step')} done`,
      ...rest,
      ...(exitCode ? [`exit code ${exitCode}`] : []),
    ];
  }
  if (kind === 'run-started' && steps !== undefined) return [count(steps, 'step')];
  if (required === 0) return ['no approval needed'];
  if (given !== undefined && required !== undefined) return [`${given} of ${count(required, 'approval')}`];
  if (approvals !== undefined)
    return changeKinds.flatMap((limit) => {
      const number = approvals[limit];
      return number === undefined ? [] : [`exactly ${count(number, oneChange(limit))}`];
    });
  return accounts === undefined ? [] : [count(accounts, 'account')];
}

const outcomeWords: Readonly<Record<string, string>> = { unknown: 'in doubt', 'not-started': 'not started' };
