import type { AttributeShapes } from './shape.ts';

/** The facts about a host in the lists. */
export const hostFacts = {
  id: { type: 'string', computed: true },
  name: { type: 'string', computed: true },
  group: { type: 'string', computed: true },
  group_id: { type: 'string', computed: true },
  online: { type: 'bool', computed: true },
  host_name: { type: 'string', computed: true },
  state_changed_at: { type: 'string', computed: true },
} as const satisfies AttributeShapes;
