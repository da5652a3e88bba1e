import { type RolloutLog, rolloutOf } from '../../src/run/state/rollout/rollout.ts';
import type { RolloutEvent, RolloutHead } from '../../src/run/state/rollout/rollout-record.ts';
import type { RolloutStore } from '../../src/run/state/rollout/rollout-store.ts';
import { memoryRollouts as rolloutsOn } from '../simulation/state/memory-rollouts.ts';
import { at } from './fleet.ts';

export const rolloutOrigin = { actor: 'ada', host: 'ws-1', command: 'apply' };

/** A rollout over the given waves; its accounts are all planned. */
export function givenRollout(
  waves: Readonly<Record<string, readonly string[]>> = { canary: ['a'], '100%': ['b', 'c'] },
  parts: Partial<RolloutHead> = {},
): RolloutHead {
  return {
    format_version: '1.0',
    rollout_id: '20261121T090000000Z-abc123',
    at,
    origin: rolloutOrigin,
    index_checksum: 'c'.repeat(64),
    max_failed: { kind: 'count', count: 0 },
    pause_ms: 0,
    parallel: 2,
    waves: Object.entries(waves).map(([name, accounts]) => ({
      name,
      is_canary: name.startsWith('canary'),
      accounts: [...accounts],
    })),
    accounts: Object.values(waves).flatMap((names) =>
      names.map((account) => ({
        account,
        company_id: account,
        service: 'https://service.example',
        plan_checksum: `plan-${account}`,
      })),
    ),
    left_out: [],
    ...parts,
  };
}

export type GivenEvent = readonly [type: string, account?: string | undefined, rest?: object];

export function givenEvents(...events: readonly GivenEvent[]): RolloutEvent[] {
  return events.map(([type, account, rest]) => {
    const named = account === undefined ? {} : { account };
    return { type, at, ...named, ...rest } as RolloutEvent;
  });
}

export function rolloutAfter(head: RolloutHead, events: readonly RolloutEvent[]) {
  return rolloutOf({ head, events, revision: events.length });
}

/** Rollouts in memory, which several processes of a test share. */
export function memoryRollouts(): RolloutStore & { readonly logs: Map<string, RolloutLog> } {
  const logs = new Map<string, RolloutLog>();
  const attempt = async <T>(work: () => T) => work();
  const tables = { rollouts: logs, rolloutPlans: new Map<string, string>() };
  return { logs, ...rolloutsOn(tables, attempt, attempt, () => true) };
}
