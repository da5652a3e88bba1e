import { defined } from '../../core/lib/defined.ts';
import type { KnownDrift } from '../../core/model/desired.ts';
import { knownDriftFields } from '../schema/file-fields.ts';
import type { Member, YamlNode } from '../sources/source-text.ts';
import { readSection } from '../values/read-fields.ts';
import { type Reading, readItems } from '../values/reading.ts';

const words = {
  what: 'a known drift',
  example:
    'write, for example: - { host: BER-WEB-01, attributes: [name], reason: "until the move in March" }',
};

/** Reads the items of `knownDrift:`. */
export function readKnownDrift(reading: Reading, member: Member | undefined): readonly KnownDrift[] {
  return readItems(reading, member, words.example, (item) => readItem(reading, item));
}

function readItem(reading: Reading, node: YamlNode): KnownDrift | undefined {
  const section = readSection(reading, node, knownDriftFields, words);
  if (section === undefined) return undefined;
  const { members } = section;
  const { host, attributes, reason, ...optional } = section.values;
  if (members.host === undefined || host === undefined) return undefined;
  if (attributes === undefined || reason === undefined) return undefined;
  const place = reading.source.placeOf(members.host.value);
  return { ...defined(optional), host, attributes, reason, place };
}
