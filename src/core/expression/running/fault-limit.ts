import type { Evaluated, ExpressionFault, Verdict } from '../../model/expression.ts';
import { mostFaults } from './running.ts';

/** Stops the run of one expression after its first few faults, so that a broken rule costs little. */
export interface FaultLimit {
  /** Evaluates for one host. Once the run has stopped, it returns a fault without evaluating. */
  ask<T extends Verdict | Evaluated<string>>(evaluate: () => T): T | Skipped;
}

interface Skipped {
  readonly ok: false;
  readonly fault: ExpressionFault;
}

const skipped: Skipped = {
  ok: false,
  fault: { message: 'the expression failed for the first hosts', isSkipped: true },
};

/** An unknown fact is not a defect of the expression, so such a fault does not count. */
export function createFaultLimit(): FaultLimit {
  let faults = 0;
  return {
    ask: (evaluate) => {
      if (faults >= mostFaults) return skipped;
      const answer = evaluate();
      if (!answer.ok && answer.fault.isUnknownFact !== true) faults += 1;
      return answer;
    },
  };
}
