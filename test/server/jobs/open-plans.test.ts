import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSigningKey } from '../../../src/run/signature/ssh-key.ts';
import type { StoredApproval } from '../../../src/server/plans/decisions/stored-plan.ts';
import type { PlanRecord } from '../../../src/server/plans/records/plans.ts';
import { accountJobs } from '../../../src/server/queue/rules/job-handlers.ts';
import type { JobParts } from '../../../src/server/queue/rules/job-parts.ts';
import { closePlan, decideAs } from '../../given/decide.ts';
import { databaseWithTables, hasPostgres } from '../../given/postgres.ts';
import { type GivenServer, givenServer } from '../../given/server-jobs.ts';

const hosts = [1, 2, 3].map((id) => ({ id: String(id), name: `OLD-${id}` }));
const desired = `version: 1\nhosts:\n${hosts.map(({ id }) => `  - { id: ${id}, name: NEW-${id} }`).join('\n')}\n`;
const alice = { kind: 'person', id: 'alice', name: 'Alice Doe' } as const;
const never = new AbortController().signal;

async function given(mode: string, text = desired, env: Record<string, string> = {}): Promise<GivenServer> {
  const url = databaseWithTables();
  const server = await givenServer(url, { berlin: { groups: [], hosts, mode } }, { desired: text, env });
  await server.check('berlin');
  return server;
}

async function plans({ store }: GivenServer): Promise<readonly PlanRecord[]> {
  const listed = await store.plans.list({ visible: 'all' });
  return listed.ok ? listed.value.items : [];
}

async function approve(server: GivenServer, via: StoredApproval['via']): Promise<void> {
  const [plan] = await plans(server);
  // A process that ended between the approval and its run.
  const given = { by: alice, decision: 'approved', numbers: {}, comment: null, via } as const;
  await server.store.plans.approve(plan?.id ?? '', given);
  await server.store.plans.move(plan?.id ?? '', ['waiting'], 'approved');
}

/** A check by a server whose operator has changed the settings. */
async function checkWith({ parts }: GivenServer, change: Partial<JobParts['settings']>): Promise<void> {
  const jobs = accountJobs({ ...parts, settings: { ...parts.settings, ...change } });
  await jobs.check({ id: 'x', key: 'berlin', data: {}, attempt: 0, stopping: never }, never);
}

async function runs({ store }: GivenServer) {
  const listed = await store.runs.list({ visible: 'all' });
  return listed.ok ? listed.value.items : [];
}

describe.skipIf(!hasPostgres)('an open plan that a check finds again', () => {
  it('is not started by the check if a rollout approved it', async () => {
    const server = await given('propose');
    await approve(server, 'rollout');
    await server.check('berlin');
    expect(await runs(server)).toEqual([]);
    expect(await plans(server)).toMatchObject([{ state: 'approved' }]);
  });

  it('is started by the check if its server ended before it queued the run', async () => {
    const server = await given('propose');
    await approve(server, 'console');
    await server.check('berlin');
    expect(await runs(server)).toMatchObject([{ state: 'queued', by: alice }]);
  });

  it('needs new approvals once the settings require more people, or exclude the author', async () => {
    for (const rule of [
      { required: 2, notAuthor: false, expireAfterMs: 3_600_000 },
      { required: 1, notAuthor: true, expireAfterMs: 3_600_000 },
    ]) {
      const server = await given('propose');
      await approve(server, 'console');
      const place = { file: 'rampart.config.yaml', line: 1, col: 1 };
      await checkWith(server, { approvals: [{ ...rule, place }] });
      expect(await plans(server)).toMatchObject([
        {
          state: 'waiting',
          required: { approvals: rule.required, notAuthor: rule.notAuthor },
          approvals: [],
        },
        { state: 'stale' },
      ]);
      expect(await runs(server)).toEqual([]);
      // Weaker settings do not lower what a plan requires.
      await server.check('berlin');
      expect((await plans(server))[0]).toMatchObject({
        state: 'waiting',
        required: { approvals: rule.required },
      });
    }
  });

  it('waits for people once the mode of its account is no longer correct', async () => {
    const server = await given('correct');
    const { accounts } = server.parts.settings;
    await checkWith(server, { accounts: accounts.map((each) => ({ ...each, mode: 'propose' as const })) });
    expect(await plans(server)).toMatchObject([{ state: 'waiting' }, { state: 'stale' }]);
    await server.run('berlin');
    expect(server.given.writesOf('berlin')).toBe(0);
  });
});

describe.skipIf(!hasPostgres)('an approved plan of a server that must sign', () => {
  const required = { RAMPART_REQUIRE_SIGNATURE: 'server' };

  it('is applied if the key of the server has signed it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signing-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const read = readSigningKey(key, 'key');
    writeFileSync(join(folder, 'key'), key);
    const blob = read.ok ? read.value.publicBlob.toString('base64') : '';
    writeFileSync(join(folder, 'signers'), `server ssh-ed25519 ${blob}\n`);
    const server = await given('propose', desired, {
      ...required,
      RAMPART_SIGNING_KEY_FILE: join(folder, 'key'),
      RAMPART_ALLOWED_SIGNERS: join(folder, 'signers'),
    });
    await approve(server, 'console');
    await server.check('berlin');
    await server.run('berlin');
    expect(await runs(server)).toMatchObject([{ state: 'done' }]);
    expect(server.given.writesOf('berlin')).toBe(hosts.length);
  });

  it('is refused without a write if the server has no key, in every mode', async () => {
    for (const mode of ['propose', 'correct']) {
      const server = await given(mode, desired, required);
      if (mode === 'propose') await approve(server, 'console');
      await server.check('berlin');
      await server.run('berlin');
      expect((await plans(server)).map(({ signature }) => signature)).toContain(null);
      expect(server.given.writesOf('berlin')).toBe(0);
      const account = await server.store.accounts.find('berlin', 'all');
      expect(account?.failure?.message).toContain('only signed plans may be applied: there is no key');
    }
  });
});

/** The same entries below a comment, in the opposite order. */
const [version = '', key = '', ...entries] = desired.trimEnd().split('\n');
const moved = ['# a comment', version, key, ...entries.toReversed(), ''].join('\n');

describe.skipIf(!hasPostgres)('an open plan whose entries move to other lines', () => {
  it('is kept with its approvals, its commit and its lines, and its run applies what it shows', async () => {
    const server = await given('propose');
    const [made] = await plans(server);
    const text = await server.store.plans.document(made?.id ?? '', 'all');
    await approve(server, 'console');
    await server.desire(moved);
    await server.check('berlin');
    const { id, commit, checksum } = made as PlanRecord;
    expect(await plans(server)).toMatchObject([
      { id, commit, checksum, state: 'approved', approvals: [{ by: alice }] },
    ]);
    expect(await server.store.plans.document(id, 'all')).toBe(text);
    expect((await server.store.accounts.find('berlin', 'all'))?.commit).not.toBe(commit);
    await server.drain();
    expect(await plans(server)).toMatchObject([{ id, state: 'done' }]);
    expect(server.given.writesOf('berlin')).toBe(3);
  });

  it('is replaced if a window of the desired state changes too', async () => {
    const server = await given('propose');
    await approve(server, 'console');
    await server.desire(`${moved}policy:\n  windows: [{ name: never, only: ['Mon 00:00-00:01 UTC'] }]\n`);
    await server.check('berlin');
    expect(await plans(server)).toMatchObject([{ state: 'waiting', approvals: [] }, { state: 'stale' }]);
  });
});

describe.skipIf(!hasPostgres)('a rejected plan that a check finds again', () => {
  const reject = async (server: GivenServer) => {
    const [plan] = await plans(server);
    if (plan === undefined) throw new Error('no plan');
    await decideAs(server.parts, plan, alice, { decision: 'rejected', comment: 'on Monday', via: 'api' });
  };

  it('stays rejected, even if the files have another commit', async () => {
    const server = await given('propose');
    await reject(server);
    await server.check('berlin');
    await server.desire(`${desired}# a comment\n`);
    await server.check('berlin');
    expect(await plans(server)).toMatchObject([{ state: 'rejected' }]);
    expect(await server.store.accounts.find('berlin', 'all')).toMatchObject({
      health: 'drifted',
      plan: null,
    });
  });

  it('stays rejected if its entries move to other lines, or change places', async () => {
    const server = await given('propose');
    await reject(server);
    await server.desire(moved);
    await server.check('berlin');
    expect(await plans(server)).toMatchObject([{ state: 'rejected' }]);
  });

  it('is replaced if it would have reversed a run, and the file now requests the same', async () => {
    const server = await given('propose');
    const [plan] = await plans(server);
    const text = await server.store.plans.document(plan?.id ?? '', 'all');
    await closePlan(server.store, 'berlin', 'someone undoes a run');
    const undo = {
      id: 'undo',
      source: 'undo of run 1',
      document: text ?? '',
      shape: { effects: [] },
      reason: 'of run 1',
    };
    await server.store.plans.propose({ ...(plan as PlanRecord), ...undo, state: 'waiting' });
    await reject(server);
    await server.check('berlin');
    expect(await plans(server)).toMatchObject([
      { state: 'waiting', source: 'files' },
      { state: 'rejected', source: 'undo of run 1' },
      { state: 'stale' },
    ]);
  });

  it('is proposed again if its changes disappeared and came back', async () => {
    const server = await given('propose');
    await reject(server);
    await server.desire('version: 1\nhosts: []\n');
    await server.check('berlin');
    expect(await plans(server)).toMatchObject([{ state: 'rejected' }]);
    await server.desire(desired);
    await server.check('berlin');
    expect(await plans(server)).toMatchObject([{ state: 'waiting' }, { state: 'rejected' }]);
  });

  it.each([
    ['another edit came in between', desired.replace('NEW-3', 'OTHER-3')],
    ['the edit was undone in between', 'version: 1\nhosts: []\n'],
  ])('is not applied in mode correct if %s', async (_, between) => {
    const server = await given('propose');
    await reject(server);
    const accounts = server.parts.settings.accounts.map((each) => ({ ...each, mode: 'correct' }) as const);
    // Nothing applies the plan of the other edit: its run waits.
    for (const text of [between, desired]) {
      await server.desire(text);
      await checkWith(server, { accounts });
    }
    const all = await plans(server);
    expect(all.filter(({ state }) => state !== 'stale')).toMatchObject([{ state: 'rejected' }]);
    expect(all.at(-1)).toMatchObject({ state: 'rejected' });
  });

  it('is replaced if its changes differ, if it has expired, or if someone plans again', async () => {
    const server = await given('propose');
    await reject(server);
    await server.desire(desired.replace('NEW-3', 'OTHER-3'));
    await server.check('berlin');
    expect(await plans(server)).toMatchObject([{ state: 'waiting' }, { state: 'rejected' }]);
    await reject(server);
    await checkWith(server, {});
    expect((await plans(server))[0]).toMatchObject({ state: 'rejected' });
    await server.store.plans.endRejections(['berlin']);
    await server.check('berlin');
    expect((await plans(server))[0]).toMatchObject({ state: 'waiting' });
  });
});
