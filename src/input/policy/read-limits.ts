import { quoted } from '../../core/lib/quoted.ts';
import type { Limit, LimitName } from '../../core/model/limits.ts';
import type { Span } from '../sources/source-text.ts';
import type { Member, YamlNode } from '../sources/yaml-tree.ts';
import { readMembers, valueSpan } from '../values/read-members.ts';
import { type Reading, report } from '../values/reading.ts';
import { describeKind, kindOf } from '../values/scalar-kind.ts';

export interface SetLimit<N extends LimitName = LimitName> {
  readonly name: N;
  readonly limit: Limit;
  readonly key: Span;
}

/** Reads the members of a `limits` mapping that may have these keys. */
export function readLimits<N extends LimitName>(
  reading: Reading,
  node: YamlNode,
  keys: Readonly<Record<N, string>>,
): readonly SetLimit<N>[] {
  const limits = readMembers(reading, node, keys, {
    what: '"limits"',
    example: 'write, for example, limits: { delete: 5%, move: 200 }',
  });
  const set: SetLimit<N>[] = [];
  for (const [name, member] of Object.entries(limits ?? {}) as [N, Member][]) {
    const limit = readLimit(reading, member, name);
    if (limit !== undefined) set.push({ name, limit, key: member.key });
  }
  return set;
}

function readLimit(reading: Reading, member: Member, name: LimitName): Limit | undefined {
  const at = valueSpan(member);
  const node = member.value;
  if (node.kind !== 'scalar' || node.text === '') {
    return report(
      reading,
      at,
      'wrong-type',
      `the limit "${name}" must be a percentage or a number, not ${describeKind(node)}`,
      {
        hint: 'write 10% for a percentage of the fleet, or 10 for ten hosts',
      },
    );
  }
  const share = /^(\d+(?:\.\d+)?)%$/.exec(node.text);
  if (share !== null && Number(share[1]) <= 100) return { kind: 'share', percent: Number(share[1]) };
  if (
    kindOf(node) === 'integer' &&
    /^(?:0|[1-9]\d*)$/.test(node.text) &&
    Number.isSafeInteger(Number(node.text))
  ) {
    return { kind: 'count', count: Number(node.text) };
  }
  return report(reading, at, 'invalid-value', `the limit "${name}" can't be ${quoted(node.text)}`, {
    hint: hintFor(node.text, share !== null),
  });
}

function hintFor(text: string, isShare: boolean): string {
  if (/^\d[\d.]*\s+%$/.test(text)) return `write ${text.replace(/\s+/, '')}`;
  if (isShare) return 'a percentage must be from 0% to 100%';
  if (/^0?\.\d{1,6}$/.test(text)) return `did you mean ${Number((Number(text) * 100).toFixed(4))}%?`;
  return 'write a percentage of the fleet, such as 10%, or a whole number of hosts, without quotation marks';
}
