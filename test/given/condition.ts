import type { ChangeFacts, Condition, ExpressionSubject } from '../../src/core/model/expression.ts';
import { needsNothing } from '../../src/core/model/facts.ts';

/** A condition without an expression. Its exception is the reason why it has no result. */
export function given(
  source: string,
  holds: (subject: ExpressionSubject, change: ChangeFacts | undefined) => boolean,
): Condition {
  return {
    source,
    needs: needsNothing,
    reads: [],
    customFields: [],
    begin: () => (subject, change) => {
      try {
        return { ok: true, value: holds(subject, change) };
      } catch (error) {
        return { ok: false, fault: { message: (error as Error).message } };
      }
    },
  };
}
