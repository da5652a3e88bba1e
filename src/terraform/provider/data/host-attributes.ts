import { computedAttribute, nullableAttribute } from '../../protocol/schema/schema.ts';
/** The read-only facts of a host in the lists. */
export const hostAttributes = {
  id: computedAttribute('string', "The host's id."),
  name: nullableAttribute('string', 'The name of the host.'),
  group: nullableAttribute('string', 'The name of its group; null if it is in no group.'),
  group_id: computedAttribute('string', 'The id of its group; `-1` if it is in no group.'),
  online: computedAttribute('bool', 'Whether it is online.'),
  host_name: nullableAttribute('string', 'The computer name; null if the service does not report one.'),
  state_changed_at: nullableAttribute(
    'string',
    'When it last came online or went offline, in the date format of the service.',
  ),
} as const;
