import { quoted } from '../../core/lib/quoted.ts';
import { type Entry, ignoredAttributes, protectedFrom } from '../../core/model/entry.ts';
import { entryKeys } from '../schema/file-keys.ts';
import { readGroup } from '../values/read-group.ts';
import { readId } from '../values/read-id.ts';
import { readMembers, valueSpan } from '../values/read-members.ts';
import { readText } from '../values/read-text.ts';
import { readTimestamp } from '../values/read-timestamp.ts';
import { readWord } from '../values/read-word.ts';
import { readWords } from '../values/read-words.ts';
import { type Reading, report, warn } from '../values/reading.ts';
import { kindOf } from '../values/scalar-kind.ts';
import type { MappingNode, YamlNode } from '../yaml/yaml-tree.ts';
import { checkAttributes, checkName } from './check-entry.ts';
import { composeEntry } from './compose-entry.ts';
import { headOf } from './entry-spans.ts';
import { readPrevious } from './read-previous.ts';

/** An entry, and the mapping that says so. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly node: MappingNode;
}

/** One item under `hosts:`; undefined when it is not sound enough to be compared with others. */
export function readEntry(reading: Reading, node: YamlNode, index: number): PlacedEntry | undefined {
  const members = readMembers(reading, node, entryKeys, { what: 'an entry', example: exampleFor(node) });
  if (members === undefined || node.kind !== 'mapping') return undefined;

  const id = members.id && readId(reading, members.id.value, 'the id', valueSpan(members.id));
  const name = members.name && readText(reading, members.name.value, 'the name', valueSpan(members.name));
  const current =
    members.current && readText(reading, members.current.value, '"current"', valueSpan(members.current));
  const previously =
    members.previously && readPrevious(reading, members.previously.value, valueSpan(members.previously));
  const group = members.group && readGroup(reading, members.group.value, valueSpan(members.group));
  const antivirus =
    members.antivirus &&
    readWord(reading, members.antivirus.value, '"antivirus"', ['installed'], valueSpan(members.antivirus));
  const ensure =
    members.ensure &&
    readWord(reading, members.ensure.value, '"ensure"', ['present', 'absent'], valueSpan(members.ensure));
  const deleteAfter =
    members.deleteAfter &&
    readTimestamp(reading, members.deleteAfter.value, '"deleteAfter"', valueSpan(members.deleteAfter));
  const ignore =
    members.ignore &&
    readWords(reading, members.ignore.value, 'ignore', ignoredAttributes, valueSpan(members.ignore));
  const protect =
    members.protect &&
    readWords(reading, members.protect.value, 'protect', protectedFrom, valueSpan(members.protect));

  if (members.id === undefined && members.name === undefined) {
    report(reading, headOf(node), 'missing-key', 'an entry needs an id or a name', {
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
  const entry = composeEntry(index, {
    id,
    name,
    current,
    previously,
    group,
    antivirus,
    ensure,
    deleteAfter,
    protect,
    ignore,
  });
  return { entry, node };
}

function exampleFor(node: YamlNode): string {
  return node.kind === 'scalar' && kindOf(node) === 'text'
    ? `write "name: ${node.text.length > 60 ? '…' : node.text}" after the "-"`
    : 'write, for example, "- name: BER-WEB-01"';
}
