import type { WriteAction } from '../../core/model/write-action.ts';
import type { ClientEvent } from '../../service/client/client-event.ts';
import type { Action } from '../../service/contract/api.ts';

/** How often the service refused writes because of its rate limit. */
export interface RefusalTally {
  hear(event: ClientEvent): void;
  counts(): Readonly<Record<WriteAction, number>>;
}

/** What the steps of a plan call an action of the service. */
export const writeActionOf: Readonly<Partial<Record<Action, WriteAction>>> = {
  renameHost: 'rename',
  moveHosts: 'move',
  deleteHosts: 'delete',
  installAntivirus: 'antivirus',
  refreshAntivirusStatus: 'refresh',
};

export function createRefusalTally(): RefusalTally {
  const counts: Record<WriteAction, number> = { rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 };
  return {
    hear(event) {
      const action = event.type === 'call' && event.status === 429 ? writeActionOf[event.action] : undefined;
      if (action !== undefined) counts[action] += 1;
    },
    counts: () => ({ ...counts }),
  };
}
