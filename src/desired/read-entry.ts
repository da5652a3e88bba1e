import { quoted } from '../lib/quoted.ts';
import { type Entry, type EntryAttribute, ignoredAttributes, protectedFrom } from '../model/desired.ts';
import type { HostId } from '../model/host-id.ts';
import type { Place } from '../problem/place.ts';
import { checkAttributes, checkName } from './check-entry.ts';
import { entryKeys } from './file-keys.ts';
import { readGroup } from './read-group.ts';
import { readId } from './read-id.ts';
import { readMembers, valueSpan } from './read-members.ts';
import { readPrevious } from './read-previous.ts';
import { readText } from './read-text.ts';
import { readTimestamp } from './read-timestamp.ts';
import { readWord } from './read-word.ts';
import { readWords } from './read-words.ts';
import { type Reading, report, warn } from './reading.ts';
import { kindOf } from './scalar-kind.ts';
import type { SourceText, Span } from './source-text.ts';
import type { MappingNode, Member, YamlNode } from './yaml-tree.ts';

/** An entry, and the mapping that says so. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly source: SourceText;
  readonly node: MappingNode;
}

/** Where an entry stands, or what it says of an attribute. */
export function placeOfEntry({ source, node }: PlacedEntry, attribute?: EntryAttribute): Place {
  const member = attribute === undefined ? undefined : node.members.find(({ key }) => key.text === attribute);
  return source.placeOf(member === undefined ? headOf(node) : valueSpan(member));
}

/** One item under `hosts:`; undefined when it is not sound enough to be compared with others. */
export function readEntry(reading: Reading, node: YamlNode, index: number): PlacedEntry | undefined {
  const members = readMembers(reading, node, entryKeys, { what: 'an entry', example: exampleFor(node) });
  if (members === undefined || node.kind !== 'mapping') return undefined;

  const id = read(members.id, (value, at) => readId(reading, value, 'the id', at));
  const name = read(members.name, (value, at) => readText(reading, value, 'the name', at));
  const current = read(members.current, (value, at) => readText(reading, value, '"current"', at));
  const previously = read(members.previously, (value, at) => readPrevious(reading, value, at));
  const group = read(members.group, (value, at) => readGroup(reading, value, at));
  const antivirus = read(members.antivirus, (value, at) =>
    readWord(reading, value, '"antivirus"', ['installed'], at),
  );
  const ensure = read(members.ensure, (value, at) =>
    readWord(reading, value, '"ensure"', ['present', 'absent'], at),
  );
  const deleteAfter = read(members.deleteAfter, (value, at) =>
    readTimestamp(reading, value, '"deleteAfter"', at),
  );

  const ignore = read(members.ignore, (value, at) =>
    readWords(reading, value, 'ignore', ignoredAttributes, at),
  );
  const protect = read(members.protect, (value, at) =>
    readWords(reading, value, 'protect', protectedFrom, at),
  );

  if (members.id === undefined && members.name === undefined) {
    report(reading, headOf(node), 'missing-key', 'an entry needs an id or a name', {
      hint: 'say which host is meant: "id: 1234", or "name: BER-WEB-01"',
    });
  }
  checkAttributes(reading, members, ensure ?? 'present');
  if (name !== undefined && members.name !== undefined) {
    if (ensure !== 'absent') checkName(reading, name, valueSpan(members.name));
    if (members.previously !== undefined && previously?.includes(name)) {
      const message = `${quoted(name)} is the name itself, not a previous one`;
      warn(reading, valueSpan(members.previously), 'invalid-value', message, {
        hint: 'remove it from "previously"',
      });
    }
  }

  const identified = id !== undefined || (members.id === undefined && name !== undefined);
  if (!identified || (members.name !== undefined && name === undefined)) return undefined;
  if (members.ensure !== undefined && ensure === undefined) return undefined;
  if (members.current !== undefined && current === undefined) return undefined;
  const entry: Writable<Entry> = {
    index,
    previously: previousNames(id, current, previously),
    antivirus: antivirus !== undefined,
    ensure: ensure ?? 'present',
  };
  if (id !== undefined) entry.id = id as HostId;
  if (name !== undefined) entry.name = name;
  if (current !== undefined) entry.current = current;
  if (group !== undefined) entry.group = group;
  if (deleteAfter !== undefined) entry.deleteAfter = deleteAfter;
  if (protect !== undefined) entry.protect = protect;
  if (ignore !== undefined) entry.ignore = ignore;
  return { entry, source: reading.source, node };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function read<T>(
  member: Member | undefined,
  reader: (value: YamlNode, at: Span) => T | undefined,
): T | undefined {
  return member === undefined ? undefined : reader(member.value, valueSpan(member));
}

const none: readonly string[] = [];

/** Without an id, the present name is one to find the host by. */
function previousNames(
  id: string | undefined,
  current: string | undefined,
  previously: readonly string[] = none,
): readonly string[] {
  return id !== undefined || current === undefined ? previously : [...new Set([current, ...previously])];
}

function exampleFor(node: YamlNode): string {
  return node.kind === 'scalar' && kindOf(node) === 'text'
    ? `write "name: ${node.text.length > 60 ? '…' : node.text}" after the "-"`
    : 'write, for example, "- name: BER-WEB-01"';
}

/** An entry is pointed at by its first member. */
function headOf(node: MappingNode): Span {
  const [first] = node.members;
  return first === undefined ? node : { start: first.key.start, end: first.value.end };
}
