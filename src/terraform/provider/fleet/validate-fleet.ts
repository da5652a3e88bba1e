import { readFleetText } from '../../fleet/fleet-inputs.ts';
import type { Diagnostic } from '../../protocol/provider/call.ts';
import { isWhollyKnown } from '../../protocol/value/value.ts';
import { summarizeProblems } from '../summarize-problems.ts';
import { fleetDiagnostics } from './fleet-diagnostics.ts';
import { textOf } from './fleet-options.ts';
import type { FleetConfig } from './fleet-values.ts';

/**
 * The errors of a desired state that no fleet is needed to find: keys, values, conditions and conflicts between entries.
 * Warnings follow in the plan, which reads the same text.
 */
export function desiredFaults(config: FleetConfig): readonly Diagnostic[] {
  if (!isWhollyKnown(config)) return [];
  const errors = readFleetText(textOf(config)).problems.filter(({ severity }) => severity === 'error');
  return fleetDiagnostics(summarizeProblems(errors, 'Correct these, then validate again.'), config);
}
