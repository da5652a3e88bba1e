import { isAllowed, type ServerAction } from '../../api/access/action.ts';
import { signedIn } from './api.ts';

/**
 * Checks whether the reader may do this on some account. The server decides for each account; the console only leaves
 * out what can never work.
 */
export function maySomewhere(action: ServerAction): boolean {
  return signedIn.value?.grants.some(({ role }) => isAllowed(role, action)) ?? false;
}

/** May the reader do this to something that belongs to no account, such as a token? */
export function mayDoToServer(action: ServerAction): boolean {
  return (
    signedIn.value?.grants.some(({ role, where }) => where === undefined && isAllowed(role, action)) ?? false
  );
}
