import type { Problem } from '../../../problem/problem.ts';
import type { Diagnostic } from '../../protocol/provider/diagnostic.ts';
import { toDiagnostics } from '../to-diagnostics.ts';

/** Problems of a whole desired state, whose ways out are arguments here and not flags of a command. */
export function fleetDiagnostics(
  problems: readonly Problem[],
  spentAcks: readonly string[] = [],
): readonly Diagnostic[] {
  return toDiagnostics(
    problems.map(({ hint, message, ...each }) => ({
      ...each,
      message: asArguments(message),
      ...(hint === undefined ? {} : { hint: `${asArguments(hint)}${renewal(hint, spentAcks)}` }),
    })),
    ['content'],
  );
}

function asArguments(text: string): string {
  return text
    .replace(/--ack (\w+)=(\d+)/g, 'acks = { $1 = $2 }')
    .replace(
      /--(skip-blocked|delete-first|strict)\b/g,
      (_, flag: string) => `${flag.replace('-', '_')} = true`,
    );
}

function renewal(hint: string, spentAcks: readonly string[]): string {
  const isSpent = spentAcks.some((kind) => hint.includes(`--ack ${kind}=`));
  return isSpent
    ? '. The consent that stands there was for the latest apply; a change of the content, or of acks, gives it anew'
    : '';
}
