import { type Action, isAllowed } from '../../api/access/action.ts';
import { me } from './api.ts';

/**
 * May the reader do this on some account? The server decides for each account; the console only leaves out what can
 * never work.
 */
export function maySomewhere(action: Action): boolean {
  return me.value?.grants.some(({ role }) => isAllowed(role, action)) ?? false;
}

/** May the reader do this to something that belongs to no account, such as a token? */
export function mayDoToServer(action: Action): boolean {
  return me.value?.grants.some(({ role, where }) => where === undefined && isAllowed(role, action)) ?? false;
}
