import { defaultFactAgeMs, type Identity } from '../../core/model/identity.ts';
import { identityFields } from '../schema/file-fields.ts';
import type { Member } from '../sources/source-text.ts';
import { readFields, requireFields } from '../values/read-fields.ts';
import { type Reading, readMembers } from '../values/reading.ts';

const words = {
  what: '"identity"',
  example: 'write, for example, identity: { key: host.inventory.hardware.serviceTag }',
};

/** Reads `identity:`, or nothing if it is not valid. */
export function readIdentity(reading: Reading, member: Member): { readonly identity?: Identity } {
  const members = readMembers(reading, member.value, identityFields, words);
  if (members === undefined) return {};
  requireFields(reading, member.key, members, identityFields, words);
  const {
    key,
    successor = 'propose',
    maxAge: maxAgeMs = defaultFactAgeMs,
  } = readFields(reading, members, identityFields);
  return key === undefined
    ? {}
    : { identity: { key, successor, maxAgeMs, place: reading.source.placeOf(member.key) } };
}
