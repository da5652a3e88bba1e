import type { ChangeKind, Remark } from './page-data.ts';

export const kindTitles: Readonly<Record<ChangeKind, string>> = {
  delete: 'Delete',
  antivirus: 'Anti-virus',
  rename: 'Rename',
  'temporary-rename': 'Temporary rename',
  move: 'Move',
};

export const remarkTitles: Readonly<Record<Remark, string>> = {
  irreversible: "can't be undone",
  online: 'online now',
  'no-previous-name': 'no previous name',
  'case-only': 'letter case only',
  'temporary-rename': 'temporary rename first',
};
