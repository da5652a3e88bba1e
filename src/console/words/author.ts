/** The parts of `Ada Lovelace <ada@example.com>`. The address is null if there is none. */
export function authorParts(author: string): { readonly name: string; readonly address: string | null } {
  const [, name, address] = /^(.+?)\s*<([^<>]+)>$/.exec(author) ?? [];
  return name === undefined || address === undefined ? { name: author, address: null } : { name, address };
}
