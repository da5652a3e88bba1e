import { type Action, isAllowed } from '../../../control/access/action.ts';
import { me } from './api.ts';

/**
 * May the reader do this on some account? The server decides for each account; the console only leaves out what can
 * never work.
 */
export function maySomewhere(action: Action): boolean {
  return me.value?.grants.some(({ role }) => isAllowed(role, action)) ?? false;
}
