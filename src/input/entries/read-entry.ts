import { printable } from '../../core/lib/printable.ts';
import { quoted } from '../../core/lib/words.ts';
import type { Entry } from '../../core/model/entry.ts';
import { hasLineBreak } from '../../core/model/host-name.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';
import { type EntryValues, entryFields } from '../schema/entry-fields.ts';
import type { MappingNode, Span, YamlNode } from '../sources/source-text.ts';
import { readFields } from '../values/read-fields.ts';
import {
  itemHead,
  kindOf,
  type Members,
  type Reading,
  readMembers,
  report,
  valueSpan,
  warn,
} from '../values/reading.ts';
import { composeEntry } from './compose-entry.ts';

/** An entry and its mapping. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly node: MappingNode;
}

/** One item under `hosts:`; undefined if it is too broken to compare with others. */
export function readEntry(reading: Reading, node: YamlNode, index: number): PlacedEntry | undefined {
  const members = readMembers(reading, node, entryFields, { what: 'an entry', example: exampleFor(node) });
  if (members === undefined || node.kind !== 'mapping') return undefined;

  const values = readFields(reading, members, entryFields) as EntryValues;
  const { id, name, current, previously, ensure } = values;

  if (members.id === undefined && members.name === undefined) {
    report(reading, itemHead(node), 'missing-key', 'an entry needs an id or a name', {
      hint: 'identify the host: "id: 1234", or "name: BER-WEB-01"',
    });
  }
  checkAttributes(reading, members, ensure ?? 'present');
  if (name !== undefined && members.name !== undefined) {
    if (ensure !== 'absent') checkName(reading, name, valueSpan(members.name));
    if (members.previously !== undefined && previously?.includes(name)) {
      const message = `${quoted(name)} is the current name, not a previous one`;
      warn(reading, valueSpan(members.previously), 'invalid-value', message, {
        hint: 'remove it from "previously"',
      });
    }
  }

  const identified = id !== undefined || (members.id === undefined && name !== undefined);
  if (!identified || (members.name !== undefined && name === undefined)) return undefined;
  if (members.ensure !== undefined && ensure === undefined) return undefined;
  if (members.current !== undefined && current === undefined) return undefined;
  return { entry: composeEntry(index, values), node };
}

function exampleFor(node: YamlNode): string {
  return node.kind === 'scalar' && kindOf(node) === 'text'
    ? `write "name: ${node.text.length > 60 ? '…' : node.text}" after the "-"`
    : 'write, for example, "- name: BER-WEB-01"';
}

/** Attributes of one entry that contradict each other. */
function checkAttributes(
  reading: Reading,
  members: Members<typeof entryFields>,
  ensure: Entry['ensure'],
): void {
  if (ensure === 'absent') {
    for (const member of [members.group, members.antivirus]) {
      if (member === undefined) continue;
      report(reading, member.key, 'invalid-value', `an absent host can't have "${member.key.text}"`, {
        hint: `remove "${member.key.text}", or remove "ensure: absent" to keep the host`,
      });
    }
  } else if (members.deleteAfter !== undefined) {
    report(reading, members.deleteAfter.key, 'invalid-value', '"deleteAfter" needs "ensure: absent"', {
      hint: 'add "ensure: absent" to delete the host at that time, or remove "deleteAfter"',
    });
  }
}

/** Checks a name that a host will get. */
function checkName(reading: Reading, name: string, at: Span): void {
  if (readTemporaryName(name) !== undefined) {
    report(reading, at, 'invalid-value', `names such as ${quoted(name)} are reserved for temporary renames`, {
      hint: 'choose a name without "~rampart"',
    });
  }
  if (hasLineBreak(name)) {
    report(reading, at, 'invalid-value', `the name ${quoted(name)} contains a line break`, {
      hint: 'remove the line break',
    });
  } else if (printable(name) !== name) {
    warn(reading, at, 'suspicious-name', `the name ${quoted(name)} contains invisible characters`, {
      hint: 'type it again, unless the host really has this name',
    });
  } else if (name !== name.trim()) {
    warn(reading, at, 'suspicious-name', `the name ${quoted(name)} starts or ends with white space`, {
      hint: 'remove the white space, unless the host really has this name',
    });
  }
}
