import { type Action, api } from '../contract/api.ts';
import type { Method } from '../contract/endpoint.ts';

/** The actions of the contract, and the older list that live services still have. */
export type EmulatedAction = Action | 'listHostsV1';

export interface ActionRoute {
  readonly action: EmulatedAction;
  readonly method: Method;
  /** The path, with parameters as `{host-id}`. */
  readonly path: string;
}

export const actionRoutes: readonly ActionRoute[] = [
  ...(Object.keys(api) as Action[]).map((action) => ({
    action,
    method: api[action].method,
    path: api[action].path,
  })),
  { action: 'listHostsV1', method: 'GET', path: '/public-api/v1/hosts' },
];

const writes: ReadonlySet<EmulatedAction> = new Set([
  'renameHost',
  'moveHosts',
  'deleteHosts',
  'installAntivirus',
] as const);

/** Does it change the fleet? */
export function changesFleet(action: EmulatedAction): boolean {
  return writes.has(action);
}

/** The actions that are limited according to the specification (section 7), and the older list. */
export function isRateLimited(action: EmulatedAction): boolean {
  return action === 'listHostsV1' || api[action].rateLimited;
}
