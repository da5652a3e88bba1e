import { defined } from '../../core/lib/defined.ts';
import type { KnownDrift } from '../../core/model/desired.ts';
import { knownDriftFields } from '../schema/file-fields.ts';
import type { Member, YamlNode } from '../sources/source-text.ts';
import { readFields, requireFields } from '../values/read-fields.ts';
import { itemHead, type Reading, readItems, readMembers } from '../values/reading.ts';

const words = {
  what: 'a known drift',
  example:
    'write, for example: - { host: BER-WEB-01, attributes: [name], reason: "until the move in March" }',
};

/** Reads the items of `knownDrift:`. */
export function readKnownDrift(reading: Reading, member: Member): readonly KnownDrift[] {
  return readItems(reading, member, words.example, (item) => readItem(reading, item));
}

function readItem(reading: Reading, node: YamlNode): KnownDrift | undefined {
  const members = readMembers(reading, node, knownDriftFields, words);
  if (members === undefined) return undefined;
  const { host, attributes, reason, ...optional } = readFields(reading, members, knownDriftFields);
  requireFields(reading, itemHead(node), members, knownDriftFields, words);
  if (members.host === undefined || host === undefined) return undefined;
  if (attributes === undefined || reason === undefined) return undefined;
  const place = reading.source.placeOf(members.host.value);
  return { ...defined(optional), host, attributes, reason, place };
}
