import { entryFields } from '../../../input/schema/entry-fields.ts';
import { accountFields } from '../../../input/schema/file-fields.ts';
import { groupPolicyFields } from '../../../input/schema/policy-fields.ts';

/** Keys of a file whose items are blocks here, each with the name of one item. */
const listed: Readonly<Record<string, string>> = { host: 'hosts', rule: 'rules', window: 'windows' };
const names = new Map(Object.entries(listed).map(([name, key]) => [key, name]));

/** The file key for the name of an argument or a block. */
export function fileKeyOf(name: string): string {
  return listed[name] ?? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function argumentNameOf(key: string): string {
  return names.get(key) ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const keys = Object.keys({ ...accountFields, ...entryFields, ...groupPolicyFields });
const keysOfTwoWords = new RegExp(`\\b(?:${keys.filter((key) => /[A-Z]/.test(key)).join('|')})\\b`, 'g');
const keyAndValue = new RegExp(`"(${Object.keys(groupPolicyFields).join('|')}): ([\\w-]+)"`, 'g');
/** Other texts in quotation marks are names, which are unchanged. The anti-virus list has entries too. */
const entries = /"[^"]*"|(?<!\bhas (?:an )?)\b([Aa]n entry|entry|entries)\b/g;
const blocks: Readonly<Record<string, string>> = {
  'An entry': 'A host block',
  'an entry': 'a host block',
  entry: 'host block',
  entries: 'host blocks',
};

/** A message about blocks and arguments instead of entries and keys of a file. */
export function inBlockWords(text: string): string {
  return text
    .replace(keyAndValue, (_, key: string, value: string) => `${key} = ${argumentText(value)}`)
    .replace(/\{ id: (-?\d+) \}/g, '"$1"')
    .replace(keysOfTwoWords, argumentNameOf)
    .replace(entries, (found, words: string | undefined) => (words && blocks[words]) ?? found);
}

function argumentText(value: string): string {
  return value === 'true' || value === 'false' ? value : `"${value}"`;
}
