import { ignoredAttributes } from '../../core/model/entry.ts';
import { toHostId } from '../../core/model/host-id.ts';
import type { KnownDrift } from '../../core/model/known-drift.ts';
import { knownDriftKeys } from '../schema/file-keys.ts';
import type { Member, YamlNode } from '../sources/yaml-tree.ts';
import { readId } from '../values/read-id.ts';
import { readMembers, valueSpan } from '../values/read-members.ts';
import { readText } from '../values/read-text.ts';
import { readTimestamp } from '../values/read-timestamp.ts';
import { readWords } from '../values/read-words.ts';
import { type Reading, report } from '../values/reading.ts';
import { describeKind, kindOf } from '../values/scalar-kind.ts';

const example =
  'write, for example: - { host: BER-WEB-01, attributes: [name], reason: "until the move in March" }';

/** Reads the items of `knownDrift:`. */
export function readKnownDrift(reading: Reading, member: Member): readonly KnownDrift[] {
  const { value } = member;
  if (value.kind === 'sequence') return value.items.flatMap((item) => readItem(reading, item) ?? []);
  report(
    reading,
    valueSpan(member),
    'wrong-type',
    `"knownDrift" must be a list, not ${describeKind(value)}`,
    { hint: example },
  );
  return [];
}

function readItem(reading: Reading, node: YamlNode): KnownDrift | undefined {
  const members = readMembers(reading, node, knownDriftKeys, { what: 'a known drift', example });
  if (members === undefined) return undefined;
  const missing = (['host', 'attributes', 'reason'] as const).filter((key) => members[key] === undefined);
  for (const key of missing) {
    report(reading, node, 'missing-key', `a known drift needs "${key}"`, { hint: example });
  }
  const { host, attributes, reason, until } = members;
  if (host === undefined || attributes === undefined || reason === undefined) return undefined;
  const who = readHost(reading, host);
  const which = readWords(reading, attributes.value, 'attributes', ignoredAttributes, valueSpan(attributes));
  const why = readText(reading, reason.value, 'the reason', valueSpan(reason));
  const end = until && readTimestamp(reading, until.value, '"until"', valueSpan(until));
  if (who === undefined || which === undefined || why === undefined) return undefined;
  return {
    host: who,
    attributes: which,
    reason: why,
    ...(end === undefined ? {} : { until: end }),
    place: reading.source.placeOf(host.value),
  };
}

function readHost(reading: Reading, member: Member): KnownDrift['host'] | undefined {
  if (kindOf(member.value) === 'integer') {
    const id = readId(reading, member.value, 'the id of the host', valueSpan(member));
    const hostId = id === undefined ? undefined : toHostId(id);
    return hostId === undefined ? undefined : { id: hostId };
  }
  const name = readText(reading, member.value, 'the host', valueSpan(member));
  return name === undefined ? undefined : { name };
}
