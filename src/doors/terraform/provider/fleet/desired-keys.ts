/** The names of arguments and blocks in a file, if they differ. */
const keys: Readonly<Record<string, string>> = {
  host: 'hosts',
  rule: 'rules',
  group: 'group',
  window: 'windows',
  delete_after: 'deleteAfter',
  others_to: 'othersTo',
  company_id: 'companyId',
};

const names = new Map(Object.entries(keys).map(([name, key]) => [key, name]));

export function keyOf(name: string): string {
  return keys[name] ?? name;
}

export function nameOf(key: string): string {
  return names.get(key) ?? key;
}

/** The same words in a message. */
export function withNames(text: string): string {
  return text.replace(/\b(?:deleteAfter|othersTo|companyId)\b/g, nameOf);
}
