/** Words that CEL reserves, and the name of an account, which selectors read as `name`. */
const reserved: ReadonlySet<string> = new Set(
  `name true false null in as break const continue else for function if import let loop package namespace return var
  void while`.split(/\s+/),
);

/** Selectors read a label by its bare name. */
export function isLabelName(text: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/i.test(text) && !reserved.has(text);
}

export const labelNameWords =
  'a label has at most 63 letters, digits and "_", starts with a letter, and is not "name" or a word of CEL';
