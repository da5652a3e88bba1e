const titles: Readonly<Record<string, string>> = {
  rename: 'Renames',
  'temporary-rename': 'Temporary renames',
  move: 'Moves',
  delete: 'Deletions',
  install: 'Anti-virus installs',
  antivirus: 'Anti-virus installs',
  refresh: 'Status refreshes',
};

/** The steps of a kind. A kind of a later server keeps its own name. */
export function kindTitle(kind: string): string {
  return titles[kind] ?? kind;
}
