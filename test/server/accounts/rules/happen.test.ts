import { describe, expect, it } from 'vitest';
import { printPlan } from '../../../../src/core/plan/document/plan-document.ts';
import { happen, happenToEach } from '../../../../src/server/accounts/rules/happen.ts';
import { givenPlan } from '../../../given/plan.ts';
import { bob } from '../../../given/store-records.ts';
import { givenBerlin, newPlan } from '../../jobs/given-store.ts';

const tenant = { companyId: '42', service: 'https://service.example' };

describe('what happens to an account', () => {
  it.each([
    ['its company has another id', { ...tenant, companyId: '43' }],
    ['it is at another service', { ...tenant, service: 'https://other.example' }],
  ])('is refused, and changes nothing, if its name belongs to another tenant now: %s', async (_, other) => {
    const { parts, read } = await givenBerlin();
    const before = await read();
    const problems = [{ code: 'not-found' }];
    expect(await happen('berlin', { kind: 'removed' }, { ...parts, tenant: other })).toMatchObject({
      problems,
    });
    expect(await happen('oslo', { kind: 'removed' }, parts)).toMatchObject({ problems });
    expect(await read()).toEqual(before);
    expect(await happen('berlin', { kind: 'removed' }, { ...parts, tenant })).toMatchObject({ ok: true });
    expect((await read()).plan).toBeNull();
  });

  it('is decided again if someone else has decided meanwhile', async () => {
    const { parts, read, store } = await givenBerlin('approved', 'queued');
    const seen: unknown[] = [];
    const decided = await happen(
      'berlin',
      async ({ run, state }) => {
        seen.push(run?.state);
        if (seen.length === 1) {
          await store.runs.change(run?.id ?? '', { state: 'stopping' });
          await store.accounts.claim('berlin', state.version);
        }
        return { kind: 'run-waits', run: run?.id ?? '' };
      },
      parts,
    );
    expect([seen, decided.ok && decided.value.commands]).toEqual([['queued', 'stopping'], []]);
    expect((await read()).run?.state).toBe('stopping');
  });

  it('is not written if it may not happen, or if what belongs to it fails', async () => {
    const { parts, read, run } = await givenBerlin('approved', 'queued');
    const before = await read();
    const and = async () => ({ ok: false, problems: [] }) as const;
    expect((await happen('berlin', { kind: 'stop-asked', run }, parts, { and })).ok).toBe(false);
    const refused = await happen(
      'berlin',
      { kind: 'plan-made', plan: { ...(before.plan as never as object), changes: 0 } as never, problems: [] },
      parts,
    );
    expect(refused).toMatchObject({ problems: [{ code: 'usage' }] });
    expect(await read()).toEqual(before);
  });

  it('depends on the mode of the account: without approvals, a run begins only in mode correct', async () => {
    const { parts, run, settings } = await givenBerlin('approved', 'queued');
    const begins = { kind: 'run-begins', run, leftOut: [], refusal: null } as const;
    for (const accounts of [settings.accounts.map((each) => ({ ...each, mode: 'propose' as const })), []])
      expect(await happen('berlin', begins, { ...parts, settings: { ...settings, accounts } })).toMatchObject(
        { problems: [{ code: 'not-approved' }] },
      );
    expect(await happen('berlin', begins, parts)).toMatchObject({ ok: true });
  });

  it('ends what people rejected, once someone asks for a new plan', async () => {
    const { parts, read } = await givenBerlin();
    expect((await read()).rejections).toHaveLength(1);
    await happen('berlin', { kind: 'hold-lifted' }, parts);
    expect((await read()).rejections).toEqual([]);
  });

  const approve = async ({ parts, store }: Awaited<ReturnType<typeof givenBerlin>>, id: string) => {
    const plan = await store.plans.find(id, 'all');
    if (plan === undefined) throw new Error('no plan');
    const approver = { subject: bob, email: null, isApprover: true };
    const request = { decision: 'approved', checksum: plan.checksum, numbers: {}, via: 'console' } as const;
    return happen('berlin', { kind: 'decided', plan, approver, request }, parts);
  };

  it('compares a plan that a check replaced with the open one before someone approves it', async () => {
    const documentOf = (name: string) =>
      printPlan(givenPlan({ entries: [{ id: 1, name }], hosts: [{ id: 1, name: 'OLD' }] }));
    for (const [name, isOpen] of [
      ['NEW', 'older'],
      ['OTHER', 'newer'],
    ] as const) {
      const berlin = await givenBerlin(null, null);
      await berlin.store.plans.propose(newPlan('older', { document: documentOf('NEW') }));
      await berlin.store.plans.propose(newPlan('newer', { document: documentOf(name) }));
      await approve(berlin, 'older');
      expect((await berlin.read()).plan?.id).toBe(isOpen);
    }
  });

  it('compares nothing if someone approves the open plan, or if there is none', async () => {
    const berlin = await givenBerlin('waiting', null);
    berlin.world.calls.splice(0);
    expect((await approve(berlin, 'p')).ok).toBe(true);
    expect(berlin.world.calls).not.toContain('plans.document');
    const closed = await givenBerlin('waiting', null);
    await closed.store.plans.propose(newPlan('next'));
    await closed.store.plans.move('next', ['waiting'], 'stale');
    expect(await approve(closed, 'p')).toMatchObject({ problems: [{ code: 'stale-plan' }] });
  });
});

it('several accounts get their jobs, also if one of them no longer exists', async () => {
  const { parts, sent } = await givenBerlin(null, null);
  const checks = { kind: 'source-changed' } as const;
  await happenToEach(new Map(['oslo', 'berlin', 'lima'].map((name) => [name, checks])), parts);
  expect(sent).toEqual(['check berlin']);
});
