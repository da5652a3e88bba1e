/** What a person or a program can ask the server to do. Every route of the API names one. */
export const serverActions = [
  /** Accounts, hosts, drift, plans, runs, rollouts and their events. */
  'read',
  /** Sources, notifications and role mappings; they contain no secrets. */
  'read-settings',
  'read-audit',
  /** Read the fleet now, and compare it with the desired state. */
  'check',
  'plan',
  'comment',
  /** Run a plan on an emulated copy of the fleet. */
  'rehearse',
  /** Approve or reject a plan. */
  'approve',
  /** Apply an approved plan. */
  'run',
  'stop',
  'undo',
  /** Start, continue or abort a rollout. */
  'rollout',
  'pause',
  /** Apply outside a change window, with a reason. */
  'override-window',
  /** Send a notification again, or a test message. */
  'redrive',
  'manage-tokens',
] as const;
export type ServerAction = (typeof serverActions)[number];

export const roles = ['viewer', 'planner', 'approver', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

const reading = ['read', 'read-settings', 'read-audit'] as const satisfies readonly ServerAction[];

/** No role but `admin` contains another one, except that all of them may read. */
const allowed: Readonly<Record<Role, ReadonlySet<ServerAction>>> = {
  viewer: new Set(reading),
  planner: new Set([...reading, 'check', 'plan', 'comment', 'rehearse']),
  approver: new Set([...reading, 'comment', 'rehearse', 'approve']),
  operator: new Set([
    ...reading,
    'check',
    'comment',
    'rehearse',
    'run',
    'stop',
    'undo',
    'rollout',
    'pause',
    'override-window',
    'redrive',
  ]),
  admin: new Set(serverActions),
};

export function isAllowed(role: Role, action: ServerAction): boolean {
  return allowed[role].has(action);
}

/** Does `role` allow everything that `other` allows? */
export function includesRole(role: Role, other: Role): boolean {
  return serverActions.every((action) => isAllowed(role, action) || !isAllowed(other, action));
}
