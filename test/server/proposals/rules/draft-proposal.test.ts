import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../../../src/core/problem/problem.ts';
import { draftProposal } from '../../../../src/server/proposals/rules/draft-proposal.ts';
import { hostId } from '../../../given/fleet.ts';

it('a proposal edits a desired state whose rules read a register', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rampart-proposal-'));
  const text = `version: 1
hosts:
  - { id: 1, name: ONE }
tables:
  - { name: asset, source: cmdb, path: /assets, key: host, join: host.id }
rules:
  - { name: names, when: 'has(asset.name)', rename: '\${asset.name}' }
`;
  await writeFile(join(folder, 'fleet.yaml'), text);
  const rows = [{ host: '1', name: 'A' }];
  const register = () => ({
    content: Promise.resolve(ok({ rows, origin: 'cmdb', hash: '', changedAt: '' })),
    until: () => 0,
  });
  const files = { source: 'git', commit: 'c1', author: null, folder, paths: ['fleet.yaml'] };
  const parts = {
    settings: { accounts: [{ name: 'berlin', files: ['fleet.yaml'] }] },
    store: {
      hosts: { all: async () => [{ host_id: '1', name: 'ONE', group: null, state: 'online', facts: {} }] },
    },
    desired: { locate: async () => ok(files), register },
  } as unknown as Parameters<typeof draftProposal>[2];
  const chosen = [{ account: 'berlin', hostId: hostId(1), name: 'ONE' }];
  const draft = await draftProposal(chosen, { kind: 'rename', find: 'ONE', replace: 'TWO' }, parts);
  expect(draft).toMatchObject({ ok: true, value: { accounts: [{ after: { tables: [{}] } }], refused: [] } });
});
