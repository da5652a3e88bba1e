import { defaultFactAgeMs, type Identity, type KnownDrift } from '../core/model/desired.ts';
import type { GroupPolicy, Policy } from '../core/model/policy.ts';
import { type NamedTables, readHostsFrom } from './csv/read-hosts-from.ts';
import { joinEntries, type PlacedEntries, placedEntries } from './entries/placed-entries.ts';
import { plainEntries } from './entries/plain-entries.ts';
import { type PlacedEntry, readEntry } from './entries/read-entry.ts';
import { readGroupPolicies } from './policy/read-group-policies.ts';
import { readKnownDrift } from './policy/read-known-drift.ts';
import { type FilePolicy, noFilePolicy, readPolicy } from './policy/read-policy.ts';
import { type PlacedRule, readRules } from './rules/read-rules.ts';
import { accountFields, fileFields, identityFields } from './schema/file-fields.ts';
import type { Member, SourceText, Span, YamlNode } from './sources/source-text.ts';
import { readFields, readSection } from './values/read-fields.ts';
import { describeKind, type Reading, readMembers, report, valueSpan } from './values/reading.ts';

/** The contents of one file before merging. */
export interface FleetFile {
  readonly source: SourceText;
  readonly companyId?: { readonly value: string; readonly span: Span };
  /** The entries under `hosts:`, then those of the file's tables. Absent if the file has neither key. */
  readonly entries?: PlacedEntries;
  readonly rules: readonly PlacedRule[];
  /** True even if none of them is valid. */
  readonly hasRules: boolean;
  readonly identity?: Identity;
  readonly knownDrift: readonly KnownDrift[];
  readonly policy: FilePolicy;
  readonly groups: readonly GroupPolicy[];
  readonly unmanaged?: NonNullable<Policy['unmanaged']>;
}

/** Reads the tree of one file; its entries are numbered from `firstIndex`. */
export function readFile(
  reading: Reading,
  root: YamlNode,
  firstIndex: number,
  tables: NamedTables,
): FleetFile | undefined {
  const members = readMembers(reading, root, fileFields, {
    what: 'a desired state',
    example: 'write "version: 1" and, below it, "hosts:" with a list of entries',
  });
  if (members === undefined) return undefined;
  if (members.version === undefined) {
    report(reading, { start: root.start, end: root.start }, 'missing-key', 'the version is missing', {
      hint: 'start the file with "version: 1"',
    });
  }
  const { unmanaged } = readFields(reading, members, fileFields);
  const companyId = members.account === undefined ? undefined : readCompanyId(reading, members.account);
  const listed = members.hosts && readHosts(reading, members.hosts, firstIndex);
  const tabled =
    members.hostsFrom && readHostsFrom(reading, members.hostsFrom, firstIndex + (listed?.count ?? 0), tables);
  return {
    source: reading.source,
    ...(companyId === undefined ? {} : { companyId }),
    ...(listed === undefined && tabled === undefined
      ? {}
      : { entries: joinEntries([listed, tabled].filter((each) => each !== undefined)) }),
    rules: readRules(reading, members.rules),
    hasRules: members.rules !== undefined,
    knownDrift: readKnownDrift(reading, members.knownDrift),
    policy: members.policy === undefined ? noFilePolicy : readPolicy(reading, members.policy.value),
    groups: readGroupPolicies(reading, members.groups),
    ...(members.identity === undefined ? {} : readIdentity(reading, members.identity)),
    ...(unmanaged === undefined || members.unmanaged === undefined
      ? {}
      : { unmanaged: { what: unmanaged, place: reading.source.placeOf(members.unmanaged.key) } }),
  };
}

function readCompanyId(reading: Reading, account: Member): FleetFile['companyId'] {
  const members = readMembers(reading, account.value, accountFields, {
    what: '"account"',
    example: 'write, for example, account: { companyId: 1234567890 }',
  });
  if (members === undefined) return undefined;
  const { companyId } = members;
  if (companyId === undefined) {
    if (account.value.kind === 'mapping' && account.value.members.length > 0) return undefined;
    return report(reading, account.key, 'missing-key', '"account" needs a "companyId"', {
      hint: 'write account: { companyId: 1234567890 }, or remove "account"',
    });
  }
  const { companyId: value } = readFields(reading, members, accountFields);
  return value === undefined ? undefined : { value, span: companyId.value };
}

function readHosts(reading: Reading, hosts: Member, firstIndex: number): PlacedEntries {
  if (hosts.value.kind !== 'sequence') {
    report(
      reading,
      valueSpan(hosts),
      'wrong-type',
      `"hosts" must be a list, not ${describeKind(hosts.value)}`,
      {
        hint: 'start each entry with "- "; for no hosts, write "hosts: []"',
      },
    );
    return placedEntries(reading.source, []);
  }
  const { rows } = hosts.value;
  const mixed =
    rows &&
    plainEntries(reading, rows.columns, firstIndex, {
      other: (own, position, index) => readEntry(own, rows.others[position] as YamlNode, index),
      group: (name) => ({ kind: 'named', name }),
    });
  if (mixed !== undefined) return mixed;
  const entries: PlacedEntry[] = [];
  for (const item of hosts.value.items) {
    if (reading.problems.isFull()) break;
    const placed = readEntry(reading, item, firstIndex + entries.length);
    if (placed !== undefined) entries.push(placed);
  }
  return placedEntries(reading.source, entries);
}

const words = {
  what: '"identity"',
  example: 'write, for example, identity: { key: host.inventory.hardware.serviceTag }',
};

/** Reads `identity:`, or nothing if it is not valid. */
function readIdentity(reading: Reading, member: Member): { readonly identity?: Identity } {
  const section = readSection(reading, member.value, identityFields, words, member.key);
  if (section?.values.key === undefined) return {};
  const { key, successor = 'propose', maxAge: maxAgeMs = defaultFactAgeMs } = section.values;
  return { identity: { key, successor, maxAgeMs, place: section.place } };
}
