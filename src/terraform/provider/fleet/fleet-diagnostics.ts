import type { Problem } from '../../../core/problem/problem.ts';
import type { Diagnostic } from '../../protocol/provider/call.ts';
import type { RecordValue } from '../../protocol/value/value.ts';
import { asArguments } from '../as-arguments.ts';
import { toDiagnostics } from '../service.ts';
import { blockPath, pathText, pointerTo } from './block-path.ts';
import { inBlockWords } from './desired-keys.ts';
import type { FleetConfig } from './fleet-values.ts';

/** Problems of a whole desired state, with hints that name arguments instead of command flags. */
export function fleetDiagnostics(
  problems: readonly Problem[],
  config: Pick<FleetConfig, 'content'>,
  spentAcks: readonly string[] = [],
): readonly Diagnostic[] {
  return problems.flatMap(({ hint, message, ...each }) => {
    const reported: Problem = {
      ...each,
      message: asArguments(message),
      ...(hint === undefined ? {} : { hint: `${asArguments(hint)}${renewal(hint, spentAcks)}` }),
    };
    return config.content === null ? inBlocks(reported, config) : toDiagnostics([reported], ['content']);
  });
}

/** Terraform can't point at the blocks of a `dynamic` block, so the message contains the path too. */
function inBlocks({ place, ...reported }: Problem, config: RecordValue): readonly Diagnostic[] {
  const path = place?.part === undefined ? [] : blockPath(place.part, config);
  return toDiagnostics([{ ...reported, message: inBlockWords(reported.message) }]).map(
    ({ detail, ...diagnostic }) => {
      const where = path.length === 0 ? [] : [`In ${pathText(path)}.`];
      const text = [...where, ...(detail === undefined ? [] : [inBlockWords(detail)])].join('\n\n');
      return { ...diagnostic, path: pointerTo(path, config), ...(text === '' ? {} : { detail: text }) };
    },
  );
}

function renewal(hint: string, spentAcks: readonly string[]): string {
  const isSpent = spentAcks.some((kind) => hint.includes(`--ack ${kind}=`));
  return isSpent
    ? '. The approval in acks was used by the latest apply. Change the content, or acks, to approve again'
    : '';
}
