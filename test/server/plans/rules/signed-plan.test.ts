import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { printPlan } from '../../../../src/core/plan/document/plan-document.ts';
import { readSigningKey } from '../../../../src/run/signature/ssh-key.ts';
import type { PlanRecord } from '../../../../src/server/plans/records/plan-record.ts';
import {
  planSignatureRefusal,
  signatureOf,
  signingRefusal,
} from '../../../../src/server/plans/rules/signed-plan.ts';
import type { JobParts } from '../../../../src/server/queue/rules/job-parts.ts';
import { givenPlan } from '../../../given/plan.ts';
import { planOf } from '../../jobs/given.ts';

const folder = mkdtempSync(join(tmpdir(), 'signed-plans-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keyNamed(name: string): string {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const key = readSigningKey(pem, name);
  if (!key.ok) throw new Error('no key');
  writeFileSync(join(folder, `${name}.key`), pem);
  return `${name} ssh-ed25519 ${key.value.publicBlob.toString('base64')}\n`;
}
writeFileSync(join(folder, 'signers'), `${keyNamed('server')}${keyNamed('alice')}`);
keyNamed('stranger');

const now = Date.parse('2026-11-23T08:00:00Z');
const hour = 3_600_000;
const plan = givenPlan({ entries: [{ id: 1, name: 'NEW' }], hosts: [{ id: 1, name: 'OLD' }] });
const other = givenPlan({ entries: [{ id: 1, name: 'EVIL' }], hosts: [{ id: 1, name: 'OLD' }] });
const usual = {
  RAMPART_REQUIRE_SIGNATURE: 'server',
  RAMPART_ALLOWED_SIGNERS: 'signers',
  RAMPART_SIGNING_KEY_FILE: 'server.key',
};
const partsOf = (env: Readonly<Record<string, string>>, at = now) =>
  ({ env, settings: { folder }, clock: { now: () => at } }) as unknown as JobParts;

const storedWith = (env: Readonly<Record<string, string>>) => {
  const stored = {
    document: printPlan(plan),
    commit: 'c0ffee',
    author: 'bob',
    expiresAt: new Date(now + hour),
  };
  return signatureOf(stored, plan, partsOf(env));
};
const refusalOf = (
  signature: string | null,
  {
    content = plan,
    env = usual,
    state = 'approved',
    at = now,
  }: {
    content?: typeof plan;
    env?: Readonly<Record<string, string>>;
    state?: PlanRecord['state'];
    at?: number;
  } = {},
) =>
  planSignatureRefusal(
    {
      record: planOf('berlin', content, { signature, state, createdAt: new Date(now) }),
      document: printPlan(content),
      plan: content,
    },
    partsOf(env, at),
  );

describe('a plan of a server that applies only signed plans', () => {
  it('is signed when it is stored, and applied as it was stored', async () => {
    const signature = await storedWith(usual);
    expect(await refusalOf(signature)).toBeUndefined();
    const { statement } = JSON.parse(signature ?? '');
    expect(JSON.parse(statement)).toMatchObject({ commit: 'c0ffee', planned_by: { actor: 'bob' } });
  });

  it('is not applied if someone who can write to the database has edited it', async () => {
    expect(await refusalOf(await storedWith(usual), { content: other })).toMatchObject({
      code: 'not-approved',
      message: 'the signature is for another plan, or the plan was edited after it',
    });
  });

  it('is not applied with the signature of a key that may not sign, or of none', async () => {
    const strange = await storedWith({ ...usual, RAMPART_SIGNING_KEY_FILE: 'stranger.key' });
    expect((await refusalOf(strange))?.message).toContain('a key that is not among the allowed signers');
    const alices = await storedWith({ ...usual, RAMPART_SIGNING_KEY_FILE: 'alice.key' });
    expect((await refusalOf(alices))?.message).toContain('must be signed by "server"');
    expect((await refusalOf(null))?.message).toBe('the plan was stored before signatures were required');
  });

  it('does not begin after it has expired, but is completed if its run is in progress', async () => {
    const signature = await storedWith(usual);
    expect(await refusalOf(signature, { at: now + hour })).toMatchObject({ code: 'stale-plan' });
    expect(await refusalOf(signature, { at: now + hour, state: 'running' })).toBeUndefined();
  });

  it('is neither signed nor checked if no signature is required', async () => {
    const { RAMPART_REQUIRE_SIGNATURE: _, ...env } = usual;
    expect(await storedWith(env)).toBeNull();
    expect(await refusalOf(null, { env })).toBeUndefined();
    expect(await signingRefusal(partsOf(env))).toBeUndefined();
  });
});

describe('a server that must sign', () => {
  it.each([
    ['can, with a key that is allowed under a required name', {}, undefined],
    [
      'can, if any of its required names has its key',
      { RAMPART_REQUIRE_SIGNATURE: 'bob, server' },
      undefined,
    ],
    [
      'says that it has no key',
      { RAMPART_SIGNING_KEY_FILE: '' },
      'only signed plans may be applied: there is no key to sign the plan with',
    ],
    [
      'says that it does not know who may sign',
      { RAMPART_ALLOWED_SIGNERS: '' },
      'only signed plans may be applied: a signature is required, and RAMPART_ALLOWED_SIGNERS is not set',
    ],
    [
      'says that its key has another name',
      { RAMPART_REQUIRE_SIGNATURE: 'alice' },
      'plans must be signed by "alice", and the key of the server has another name',
    ],
    [
      'says that nobody is required',
      { RAMPART_REQUIRE_SIGNATURE: ',' },
      'plans must be signed by nobody, and the key of the server has another name',
    ],
  ])('%s', async (_, env, message) => {
    expect((await signingRefusal(partsOf({ ...usual, ...env })))?.message).toBe(message);
    // A run without a signature gives the same reason.
    if (message !== undefined)
      expect((await refusalOf(null, { env: { ...usual, ...env } }))?.message).toBeDefined();
  });
});
