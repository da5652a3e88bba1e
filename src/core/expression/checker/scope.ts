/** `host`: only the host is known, as in rules. `change`: a change of it too, as in policies. */
export type Scope = 'host' | 'change';
