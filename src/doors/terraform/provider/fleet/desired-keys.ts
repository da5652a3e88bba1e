import { entryFields } from '../../../../input/schema/entry-fields.ts';
import { accountFields } from '../../../../input/schema/file-fields.ts';
import { groupPolicyFields } from '../../../../input/schema/policy-fields.ts';

/** Keys of a file whose items are blocks here, each with the name of one item. */
const listed: Readonly<Record<string, string>> = { host: 'hosts', rule: 'rules', window: 'windows' };
const names = new Map(Object.entries(listed).map(([name, key]) => [key, name]));

/** The file key for the name of an argument or a block. */
export function keyOf(name: string): string {
  return listed[name] ?? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function nameOf(key: string): string {
  return names.get(key) ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const keysOfTwoWords = Object.keys({ ...accountFields, ...entryFields, ...groupPolicyFields }).filter((key) =>
  /[A-Z]/.test(key),
);

/** The same replacement in a message. */
export function withNames(text: string): string {
  return text.replace(new RegExp(`\\b(?:${keysOfTwoWords.join('|')})\\b`, 'g'), nameOf);
}
