import { describe, expect, it } from 'vitest';
import type { PlanRecord } from '../../../src/server/plans/records/plans.ts';
import { tick } from '../../../src/server/queue/rules/tick.ts';
import type { ServerRun } from '../../../src/server/runs/records/runs.ts';
import { proposeUndo } from '../../../src/server/runs/rules/propose-undo.ts';
import { decideAs } from '../../given/decide.ts';
import { databaseWithTables, hasPostgres, sharedPostgres } from '../../given/postgres.ts';
import { type GivenServer, givenServer } from '../../given/server-jobs.ts';

const hosts = [1, 2, 3].map((id) => ({ id: String(id), name: `OLD-${id}` }));
const desired = `version: 1\nhosts:\n${hosts.map(({ id }) => `  - { id: ${id}, name: NEW-${id} }`).join('\n')}\n`;
const alice = { kind: 'person', id: 'alice', name: 'Alice Doe' } as const;

const postgres = sharedPostgres;

/** One account, and the statements that make time pass for its plans. */
async function given(mode: string) {
  const url = databaseWithTables();
  const server = await givenServer(url, { berlin: { groups: [], hosts, mode } }, { desired });
  await server.check('berlin');
  return { server, run: (text: string) => postgres().run(url, text) };
}

const expire = `update rampart_server.plan set expires_at = now() - interval '1 hour'`;

async function plans({ store }: GivenServer): Promise<readonly PlanRecord[]> {
  const listed = await store.plans.list({ visible: 'all' });
  return listed.ok ? listed.value.items : [];
}

async function runs({ store }: GivenServer): Promise<readonly ServerRun[]> {
  const listed = await store.runs.list({ visible: 'all' });
  return listed.ok ? listed.value.items : [];
}

async function approve(server: GivenServer): Promise<void> {
  const [plan] = await plans(server);
  if (plan === undefined || !(await decideAs(server.parts, plan, alice))) throw new Error('not approved');
}

describe.skipIf(!hasPostgres)('a plan that has expired', () => {
  it('is refused when its run would begin, and the run ends', async () => {
    const { server, run } = await given('propose');
    await approve(server);
    run(expire);
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(0);
    expect(await runs(server)).toMatchObject([{ state: 'stopped', exitCode: 7 }]);
    expect(await plans(server)).toMatchObject([{ state: 'stale' }]);
  });

  it('expires sooner if the operator shortens the time for approvals', async () => {
    const { server } = await given('propose');
    const [before] = await plans(server);
    const place = { file: 'rampart.config.yaml', line: 1, col: 1, text: '', width: 1 };
    const rule = { required: 1, notAuthor: false, expireAfterMs: 3_600_000, place };
    Object.assign(server.parts.settings, { approvals: [rule] });
    await server.check('berlin');
    const [after] = await plans(server);
    expect(after?.id).toBe(before?.id);
    const lifeMs = (after?.expiresAt.getTime() ?? 0) - (after?.createdAt.getTime() ?? 0);
    // The check takes a while after the plan was made.
    expect(lifeMs).toBeLessThanOrEqual(3_600_000);
    expect(lifeMs).toBeGreaterThan(3_600_000 - 120_000);
  });

  it('is completed if its run began in time', async () => {
    const { server, run } = await given('propose');
    await approve(server);
    // As a worker that died leaves them.
    run(`update rampart_server.run set state = 'running', started_at = now()`);
    run(`update rampart_server.plan set state = 'running'`);
    run(expire);
    await server.drain();
    expect(server.given.writesOf('berlin')).toBe(3);
    expect(await runs(server)).toMatchObject([{ state: 'done' }]);
    expect((await server.store.accounts.find('berlin', 'all'))?.health).toBe('converged');
  });

  it('does not block the next plan of its account, even if it reverses a run', async () => {
    const { server, run } = await given('correct');
    await server.drain();
    const [ended] = await runs(server);
    if (ended === undefined) throw new Error('no run');
    const undo = await proposeUndo(ended, alice, server.parts);
    expect(undo.ok).toBe(true);
    run(expire);
    await tick(server.parts);
    await server.check('berlin');
    expect((await plans(server))[0]).toMatchObject({ state: 'expired' });
    server.given.emulators.get('berlin')?.edit({ kind: 'rename', id: '2', name: 'BY-HAND' });
    await server.check('berlin');
    expect((await plans(server))[0]).toMatchObject({ state: 'approved', changes: 1 });
  });
});
