import type { Limit } from '../../core/model/policy.ts';
import type { Fields } from '../schema/field.ts';
import type { Member, Span, YamlNode } from '../sources/source-text.ts';
import { readFields } from '../values/read-fields.ts';
import { type Reading, readMembers } from '../values/reading.ts';

export interface SetLimit<N> {
  readonly name: N;
  readonly limit: Limit;
  readonly key: Span;
}

/** Reads the members of a `limits` mapping that may have these keys. */
export function readLimits<F extends Fields>(
  reading: Reading,
  node: YamlNode,
  fields: F,
): readonly SetLimit<keyof F & string>[] {
  const members = readMembers(reading, node, fields, {
    what: '"limits"',
    example: 'write, for example, limits: { delete: 5%, move: 200 }',
  });
  if (members === undefined) return [];
  const limits = readFields(reading, members, fields) as { readonly [Name in keyof F]?: Limit };
  const entries = Object.entries(members) as [keyof F & string, Member][];
  return entries.flatMap(([name, { key }]) => {
    const limit = limits[name];
    return limit === undefined ? [] : { name, limit, key };
  });
}
