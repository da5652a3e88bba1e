/** Replaces `{name}`, and `{NAME}` by the name in capitals with `_` for everything that a variable can't contain. */
export function fillName(text: string, name: string): string {
  return text.includes('{') ? text.replaceAll('{name}', name).replaceAll('{NAME}', variableName(name)) : text;
}

/**
 * The reverse: the text of one account with placeholders for its name and company ID, so that texts that differ only in
 * their account become equal. Parts of longer words stay.
 */
export function withoutAccount(
  text: string,
  { name, companyId }: { readonly name: string; readonly companyId: string | null },
): string {
  const values = [
    [name, '{name}'],
    [variableName(name), '{NAME}'],
    ...(companyId === null ? [] : [[companyId, '{companyId}'] as const]),
  ] as const;
  return values.reduce((words, [value, placeholder]) => {
    if (value === '' || !words.includes(value)) return words;
    const escaped = value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return words.replaceAll(new RegExp(`(?<![A-Za-z0-9{])${escaped}(?![A-Za-z0-9}])`, 'g'), placeholder);
  }, text);
}

function variableName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}
