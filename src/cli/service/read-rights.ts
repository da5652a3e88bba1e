import type { CallResult, Client } from '../../service/client/client.ts';
import { type Action, api } from '../../service/contract/api.ts';

/** The lists that a GET can read without starting anything. */
const reads = {
  listHosts: 'hosts',
  listHostsWithGroups: 'hosts with groups',
  listCustomFieldCategories: 'custom-field categories',
  listCustomFields: 'custom fields',
  listAntivirusDetails: 'anti-virus',
  listHardwareFields: 'hardware fields',
  readHardwareToken: 'hardware reports',
  listSystemFields: 'system fields',
  readSystemToken: 'system reports',
} as const satisfies Partial<Record<Action, string>>;

/** `limited`: asked too soon after another call, so the right is unknown; `failed`: another failure. */
export type RightState = 'readable' | 'forbidden' | 'limited' | 'failed';

export interface Right {
  readonly what: string;
  /** The method and path. */
  readonly call: string;
  readonly state: RightState;
  /** Why it failed. */
  readonly reason: string | null;
}

/** Which lists the credentials may read. Asks for each once, and waits for no limit. */
export function readRights(client: Client): Promise<readonly Right[]> {
  return Promise.all(
    Object.entries(reads).map(async ([name, what]): Promise<Right> => {
      const action = name as keyof typeof reads;
      const answer = await client.call(action, {}, { maxWaitMs: 0 });
      const state = stateOf(answer);
      const reason = state === 'failed' && !answer.ok ? answer.failure.problem.message : null;
      return { what, call: `${api[action].method} ${api[action].path}`, state, reason };
    }),
  );
}

function stateOf(answer: CallResult<unknown>): RightState {
  if (answer.ok) return 'readable';
  switch (answer.failure.problem.code) {
    case 'forbidden':
    case 'not-authenticated':
      return 'forbidden';
    case 'rate-limited':
      return 'limited';
    default:
      return 'failed';
  }
}
