import { describe, expect, it } from 'vitest';
import type { ProposalRequest } from '../../../../src/api/proposals.ts';
import { ok } from '../../../../src/core/problem/problem.ts';
import type { DriftQuery } from '../../../../src/server/hosts/records/hosts.ts';
import { type Asked, draftOf } from '../../../../src/server/proposals/routes/draft-of-request.ts';

/** A server whose account "berlin" has hosts that differ in name and group. */
function serverWith(drifted: number) {
  const drift = Array.from({ length: drifted }, (_, at) => `${at + 1}`).flatMap((id) =>
    ['name', 'group'].map((attribute) => ({
      account: 'berlin',
      host_id: id,
      name: `PC-${id}`,
      attribute,
      live: 'x',
    })),
  );
  const call = {
    visible: 'all',
    parts: {
      store: {
        hosts: {
          find: async (account: string, id: string) => ({ account, host_id: id, name: `PC-${id}` }),
          async drift({ hostIds, cursor = '0', limit = 500 }: DriftQuery) {
            const rows = drift.filter(({ host_id: id }) => hostIds?.includes(id) ?? true);
            const end = Number(cursor) + limit;
            const next = end < rows.length ? { next: String(end) } : {};
            return ok({ items: rows.slice(Number(cursor), end), ...next });
          },
        },
      },
      work: {
        draftProposal: async (hosts: readonly unknown[], change: { readonly drift: readonly unknown[] }) =>
          ok({ hosts: hosts.length, differences: change.drift.length }),
      },
    },
  } as unknown as Asked;
  return (request: Omit<ProposalRequest, 'change'>) =>
    draftOf({ ...request, change: { kind: 'adopt' } }, call);
}

describe('a proposal that adopts differences', () => {
  it('counts hosts and not their differences', async () => {
    expect(await serverWith(1_000)({ drift: { account: 'berlin' } })).toMatchObject({
      ok: true,
      value: { draft: { hosts: 1_000, differences: 2_000 } },
    });
  });

  it('of more than 1,000 hosts is refused', async () => {
    expect(await serverWith(1_001)({ drift: { account: 'berlin' } })).toMatchObject({
      ok: false,
      problems: [{ code: 'too-large', message: 'A proposal has at most 1,000 hosts' }],
    });
  });

  it('can choose one host of an account in which more hosts differ', async () => {
    expect(await serverWith(5_000)({ hosts: [{ account: 'berlin', host_id: '7' }] })).toMatchObject({
      ok: true,
      value: { draft: { hosts: 1, differences: 2 } },
    });
  });
});
