/** What the lists say of a host, read only. */
export const hostAttributes = {
  id: { type: 'string', computed: true, nonNull: true, description: 'The host’s id.' },
  name: { type: 'string', computed: true, description: 'What the host is called.' },
  group: {
    type: 'string',
    computed: true,
    description: 'The name of its group; null where it is in none.',
  },
  group_id: {
    type: 'string',
    computed: true,
    nonNull: true,
    description: 'The id of its group; `-1` where it is in none.',
  },
  online: { type: 'bool', computed: true, nonNull: true, description: 'Whether it is online.' },
  host_name: {
    type: 'string',
    computed: true,
    description: 'What the computer calls itself; null where the service does not tell.',
  },
  state_changed_at: {
    type: 'string',
    computed: true,
    description: 'When it last came online or went offline, as the service writes it.',
  },
} as const;
