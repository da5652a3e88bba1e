/**
 * `reports`: allows only making inventory reports, which change no host but use the account's only report slot.
 * `unsigned`: the same, because changes need a signature, and nothing here has one.
 */
export type ReadOnly = boolean | 'reports' | 'unsigned';

/** The meaning of RAMPART_READ_ONLY. Any unknown word forbids every write. */
export function readOnlyOf(value = ''): ReadOnly {
  if (value === '' || value === '0' || value === 'false') return false;
  return value === 'reports' ? 'reports' : true;
}
