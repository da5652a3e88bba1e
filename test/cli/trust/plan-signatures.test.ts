import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/cli/shell/context.ts';
import {
  checkPlanFile,
  signatureRefusal,
  signedWords,
  signPlanFile,
} from '../../../src/cli/trust/plan-signatures.ts';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { planChecksum } from '../../../src/core/plan/document/plan-document.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import type { CheckedSignature } from '../../../src/run/signature/check-signature.ts';
import { readSigningKey } from '../../../src/run/signature/ssh-key.ts';
import { createEmulator } from '../../../src/service/emulator/emulator.ts';
import { fleetState } from '../../../src/service/emulator/fleet-state.ts';
import { contextOn } from '../../given/conversation.ts';
import { newFolder } from '../../given/folder.ts';
import { givenPlan } from '../../given/plan.ts';

const plan = givenPlan({ hosts: [{ id: 1, name: 'OLD' }], entries: [{ id: 1, name: 'NEW' }], groups: {} });
const checksum = planChecksum(plan);
const signedAt = '2026-11-21T09:00:00.000Z';
const signature = {
  signers: ['alice'],
  statement: { signed_at: signedAt, commit: null, planned_by: { actor: 'bob', from: 'laptop' } },
} as unknown as CheckedSignature;

describe('a signed plan is refused', () => {
  const run = (more: object) => ({
    head: { run_id: 'r1', plan_checksum: checksum },
    state: 'completed',
    ...more,
  });
  const refusal = async (runs: unknown, { isSigned = true, opens = true } = {}) => {
    const asked: unknown[] = [];
    const state = {
      open: async () =>
        opens
          ? ok({ listRuns: async (query: object) => (asked.push(query), runs) })
          : failed(problem('state', 'no state')),
    };
    const signed = {
      isRequired: () => true,
      get: (of: string) => (isSigned && of === checksum ? signature : undefined),
    };
    const refused = await signatureRefusal({ signed, state } as unknown as Context, plan);
    return { refused, asked };
  };

  it('without a signature, if one is required', async () =>
    expect((await refusal(ok([]), { isSigned: false })).refused?.code).toBe('not-approved'));

  it('once a run of it has ended well, since five minutes before its signature', async () => {
    const { refused, asked } = await refusal(ok([run({})]));
    expect(refused).toMatchObject({ code: 'stale-plan', message: expect.stringContaining('by the run r1') });
    expect(asked).toEqual([{ account: plan.account, since: Date.parse(signedAt) - 300_000 }]);
  });

  it('if the state or its runs are not known', async () => {
    expect((await refusal(ok([]), { opens: false })).refused?.message).toBe('no state');
    expect((await refusal(failed(problem('state', 'no runs')))).refused?.message).toBe('no runs');
  });

  it('neither after a run of another plan nor after one that was stopped', async () => {
    for (const other of [run({ head: { run_id: 'r2', plan_checksum: 'other' } }), run({ state: 'stopped' })])
      expect((await refusal(ok([other]))).refused).toBeUndefined();
  });

  it('never if no signature is required', async () => {
    const signed = { isRequired: () => false };
    expect(await signatureRefusal({ signed } as unknown as Context, plan)).toBeUndefined();
  });
});

it('the log says who signed a plan, when, and what it was made from', () => {
  const { statement } = signature;
  expect(signedWords(signature)).toBe(`Signed by alice at ${signedAt}. Planned by bob on laptop.`);
  expect(signedWords({ ...signature, statement: { ...statement, commit: 'abc' } })).toBe(
    `Signed by alice at ${signedAt}. Planned by bob on laptop from commit abc.`,
  );
});

describe('the signature of a plan file', () => {
  function given() {
    const folder = newFolder();
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const key = readSigningKey(pem, 'key');
    if (!key.ok) throw new Error('no key');
    writeFileSync(join(folder, 'key'), pem, { mode: 0o600 });
    writeFileSync(join(folder, 'signers'), `alice ssh-ed25519 ${key.value.publicBlob.toString('base64')}\n`);
    writeFileSync(join(folder, 'plan.json'), 'a plan');
    const clock = createVirtualClock(Date.parse(signedAt), { auto: true });
    const env = { RAMPART_SIGNING_KEY_FILE: 'key', RAMPART_ALLOWED_SIGNERS: 'signers' };
    const context = contextOn(createEmulator({ state: fleetState({ groups: [], hosts: [] }), clock }), {
      folder,
      clock,
      env,
    });
    return { folder, context };
  }
  const subject = { file: 'plan.json', checksum, account: plan.account };

  it('can be neither made nor checked without the file, or without a folder', async () => {
    const { folder, context } = given();
    await signPlanFile(context, subject, {});
    rmSync(join(folder, 'plan.json'));
    for (const result of [
      await signPlanFile(context, subject, {}),
      await checkPlanFile(context, subject, { requireSignature: ['alice'] }),
    ])
      expect(result).toMatchObject({ ok: false, problems: [{ code: 'file-missing' }] });
  });
});
