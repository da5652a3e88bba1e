import { type EntryAttribute, ignoredAttributes, protectedFrom } from '../../core/model/entry.ts';
import type { HostId } from '../../core/model/observed.ts';
import type { ValueField, ValuesOf } from './field.ts';

/** An attribute that an entry can have. */
export interface EntryField extends ValueField {
  readonly type: 'id' | 'text' | 'names' | 'group' | 'time' | 'word' | 'words';
  /** Do tables have a column with this name? */
  readonly column?: true;
}

export const entryFields = {
  id: {
    type: 'id',
    meaning:
      'The id of the host: a 64-bit integer, as shown by "rampart hosts". A rename does not change it.',
    noun: 'the id',
    column: true,
  },
  name: {
    type: 'text',
    meaning: 'The name that the host should have. Without an id, it also identifies the host.',
    noun: 'the name',
    column: true,
  },
  key: {
    type: 'text',
    meaning:
      'The key of the host, such as its serial number. It finds the host if its id is missing or not set. Needs "identity".',
    noun: 'the key',
    column: true,
  },
  current: {
    type: 'text',
    meaning: 'The name that the host has now. Rampart does not change a host that has another name.',
    column: true,
  },
  previously: {
    type: 'names',
    meaning: 'Names that the host had before. Without an id, they also identify the host.',
    noun: 'a previous name',
    column: true,
  },
  group: {
    type: 'group',
    meaning: 'The group that the host should be in: its name, { id: 17 }, or null for no group.',
    column: true,
  },
  antivirus: {
    type: 'word',
    words: ['installed'],
    meaning: "Install the vendor's anti-virus on the host. You can't undo an install.",
    column: true,
  },
  ensure: {
    type: 'word',
    words: ['present', 'absent'],
    meaning: 'Whether to keep the host in the account (present, the default) or delete it (absent).',
    column: true,
  },
  deleteAfter: {
    type: 'time',
    meaning:
      'Delete the absent host at or after this time: RFC 3339 with a time zone, such as 2027-01-31T00:00:00Z.',
    column: true,
  },
  protect: {
    type: 'words',
    words: protectedFrom,
    meaning: 'Changes that no plan may make to the host: a list of delete, rename and move.',
  },
  ignore: {
    type: 'words',
    words: ignoredAttributes,
    meaning: 'Attributes that may differ from the file: a list of name, group and antivirus.',
  },
} as const satisfies Readonly<Record<EntryAttribute, EntryField>>;

type Fields = typeof entryFields;

/** The attributes of one entry as read; undefined for those that it does not have. */
export type EntryValues = Omit<ValuesOf<Fields>, 'id'> & { readonly id?: HostId | undefined };

export const entryAttributes = Object.keys(entryFields) as readonly EntryAttribute[];

export const fieldOf = (attribute: EntryAttribute): EntryField => entryFields[attribute];

/** The attributes that have a column in tables. */
export type ColumnAttribute = {
  [Key in EntryAttribute]: Fields[Key] extends { readonly column: true } ? Key : never;
}[EntryAttribute];
