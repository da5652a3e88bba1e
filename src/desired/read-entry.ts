import { quoted } from '../lib/quoted.ts';
import { type Entry, type EntryAttribute, ignoredAttributes, protectedFrom } from '../model/desired.ts';
import { toHostId } from '../model/host-id.ts';
import { checkAttributes, checkName } from './check-entry.ts';
import { entryKeys } from './file-keys.ts';
import { readGroup } from './read-group.ts';
import { readId } from './read-id.ts';
import { type Members, readMembers, valueSpan } from './read-members.ts';
import { readPrevious } from './read-previous.ts';
import { readText } from './read-text.ts';
import { readTimestamp } from './read-timestamp.ts';
import { readWord } from './read-word.ts';
import { readWords } from './read-words.ts';
import { type Reading, report, warn } from './reading.ts';
import { kindOf } from './scalar-kind.ts';
import type { SourceText, Span } from './source-text.ts';
import type { Member, YamlNode } from './yaml-tree.ts';

/** An entry, and where it and its attributes stand. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly source: SourceText;
  readonly span: Span;
  readonly attributes: Readonly<Partial<Record<EntryAttribute, Span>>>;
}

/** One item under `hosts:`; undefined when it is not sound enough to be compared with others. */
export function readEntry(reading: Reading, node: YamlNode, index: number): PlacedEntry | undefined {
  const members = readMembers(reading, node, entryKeys, { what: 'an entry', example: exampleFor(node) });
  if (members === undefined) return undefined;
  const span = headOf(node);

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
    report(reading, span, 'missing-key', 'an entry needs an id or a name', {
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
  return {
    entry: {
      index,
      ...(id === undefined ? {} : { id: toHostId(id) as NonNullable<Entry['id']> }),
      ...(name === undefined ? {} : { name }),
      ...(current === undefined ? {} : { current }),
      previously: previousNames(id, current, previously ?? []),
      ...(group === undefined ? {} : { group }),
      antivirus: antivirus !== undefined,
      ensure: ensure ?? 'present',
      ...(deleteAfter === undefined ? {} : { deleteAfter }),
      ...(protect === undefined ? {} : { protect }),
      ...(ignore === undefined ? {} : { ignore }),
    },
    source: reading.source,
    span,
    attributes: spansOf(members),
  };
}

function read<T>(
  member: Member | undefined,
  reader: (value: YamlNode, at: Span) => T | undefined,
): T | undefined {
  return member === undefined ? undefined : reader(member.value, valueSpan(member));
}

/** Without an id, the present name is one to find the host by. */
function previousNames(
  id: string | undefined,
  current: string | undefined,
  previously: readonly string[],
): readonly string[] {
  return id !== undefined || current === undefined ? previously : [...new Set([current, ...previously])];
}

function exampleFor(node: YamlNode): string {
  return node.kind === 'scalar' && kindOf(node) === 'text'
    ? `write "name: ${node.text.length > 60 ? '…' : node.text}" after the "-"`
    : 'write, for example, "- name: BER-WEB-01"';
}

/** An entry is pointed at by its first member. */
function headOf(node: YamlNode): Span {
  const first = node.kind === 'mapping' ? node.members[0] : undefined;
  return first === undefined ? node : { start: first.key.start, end: first.value.end };
}

function spansOf(members: Members<typeof entryKeys>): Partial<Record<EntryAttribute, Span>> {
  const spans: Partial<Record<EntryAttribute, Span>> = {};
  for (const [attribute, member] of Object.entries(members) as [EntryAttribute, Member][]) {
    const { start, end } = valueSpan(member);
    spans[attribute] = { start, end };
  }
  return spans;
}
