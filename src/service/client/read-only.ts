/** `reports`: nothing but reports of inventory is made, which change no host but take the account's only report slot. */
export type ReadOnly = boolean | 'reports';

/** What RAMPART_READ_ONLY says. Any word that is not known forbids every write. */
export function readOnlyOf(value = ''): ReadOnly {
  if (value === '' || value === '0' || value === 'false') return false;
  return value === 'reports' ? 'reports' : true;
}
