import { printableJson } from '../../core/lib/printable-json.ts';
import type { GroupIntent } from '../../core/model/observed.ts';
import type { GroupDraft, HostDraft } from './fleet-draft.ts';
import { yamlText } from './yaml-text.ts';

/** The layout of an entry: keys on lines of their own, in braces, or in braces as JSON requires. */
export type EntryStyle = 'block' | 'flow' | 'json';

/** An entry as the text of a list item, without a hyphen and without a trailing line break. */
export function entryText(
  { id, name, antivirus, absent }: HostDraft,
  intent: GroupIntent | undefined,
  style: EntryStyle,
  indent: string,
): string {
  const text = style === 'json' ? jsonText : yamlText;
  const members = [
    member('id', id, style),
    ...(name === undefined ? [] : [member('name', text(name), style)]),
    ...(intent === undefined ? [] : [member('group', groupText(intent, style), style)]),
    ...(antivirus ? [member('antivirus', text('installed'), style)] : []),
    ...(absent === true ? [member('ensure', text('absent'), style)] : []),
  ];
  return style === 'block' ? members.join(`\n${indent}`) : `{ ${members.join(', ')} }`;
}

export function groupText(intent: GroupIntent, style: EntryStyle): string {
  switch (intent.kind) {
    case 'named':
      return style === 'json' ? jsonText(intent.name) : yamlText(intent.name);
    case 'id':
      return `{ ${member('id', intent.id, style)} }`;
    case 'ungrouped':
      return 'null';
  }
}

function member(key: string, value: string, style: EntryStyle): string {
  return style === 'json' ? `"${key}": ${value}` : `${key}: ${value}`;
}

export function jsonText(text: string): string {
  return printableJson(JSON.stringify(text));
}

/** Facts about an entry that an import can't express, as comment lines. */
export function remarksOf({ id, unclaimed }: HostDraft, { groupId, intent }: GroupDraft): readonly string[] {
  return [
    ...(unclaimed === undefined ? [] : [`# ${id} has no name here: ${unclaimed}`]),
    ...(intent === undefined
      ? [`# ${id} has no group here: the list of groups does not have ${groupId}`]
      : []),
  ];
}
