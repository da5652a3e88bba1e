import type { Problem } from '../../../problem/problem.ts';
import type { Diagnostic } from '../../protocol/provider/diagnostic.ts';
import { toDiagnostics } from '../to-diagnostics.ts';

/** Problems of a whole desired state, whose ways out are arguments here and not flags of a command. */
export function fleetDiagnostics(problems: readonly Problem[]): readonly Diagnostic[] {
  return toDiagnostics(
    problems.map((each) => (each.hint === undefined ? each : { ...each, hint: asArguments(each.hint) })),
    ['content'],
  );
}

function asArguments(hint: string): string {
  return hint
    .replace(/--ack (\w+)=(\d+)/g, 'acks = { $1 = $2 }')
    .replace(
      /--(skip-blocked|delete-first|strict)\b/g,
      (_, flag: string) => `${flag.replace('-', '_')} = true`,
    );
}
