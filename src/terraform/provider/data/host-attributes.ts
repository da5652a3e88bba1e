/** The read-only facts of a host in the lists. */
export const hostAttributes = {
  id: { type: 'string', computed: true, nonNull: true, description: "The host's id." },
  name: { type: 'string', computed: true, description: 'The name of the host.' },
  group: {
    type: 'string',
    computed: true,
    description: 'The name of its group; null if it is in no group.',
  },
  group_id: {
    type: 'string',
    computed: true,
    nonNull: true,
    description: 'The id of its group; `-1` if it is in no group.',
  },
  online: { type: 'bool', computed: true, nonNull: true, description: 'Whether it is online.' },
  host_name: {
    type: 'string',
    computed: true,
    description: 'The computer name; null if the service does not report one.',
  },
  state_changed_at: {
    type: 'string',
    computed: true,
    description: 'When it last came online or went offline, in the date format of the service.',
  },
} as const;
