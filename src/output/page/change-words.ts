import type { ChangeKind, Remark } from './page-data.ts';

export const kindTitles: Readonly<Record<ChangeKind, string>> = {
  delete: 'Delete',
  antivirus: 'Anti-virus',
  rename: 'Rename',
  aside: 'Temporary rename',
  move: 'Move',
};

export const remarkTitles: Readonly<Record<Remark, string>> = {
  irreversible: "can't be undone",
  online: 'online now',
  'no-way-back': 'no previous name',
  'case-only': 'letter case only',
  'temporary-rename': 'temporary rename first',
};
