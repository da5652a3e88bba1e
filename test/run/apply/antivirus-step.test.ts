import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/core/model/observed.ts';
import { failed, ok, type Problem, problem } from '../../../src/core/problem/problem.ts';
import { runAntivirusStep } from '../../../src/run/apply/antivirus-step.ts';
import type { CallFailure } from '../../../src/service/client/client.ts';
import type { FleetWriter, InstallAnswer, WriteResult } from '../../../src/service/wire/fleet.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';
import { antivirusStep } from '../../given/steps.ts';

type Answer = InstallAnswer | 'lost' | 'not-sent' | 'refused';
const hosts = (count: number) => Array.from({ length: count }, (_, index) => hostId(index + 1));
const changed = problem('stale-plan', 'given');

interface Given {
  readonly answers: readonly Answer[];
  /** Hosts that the anti-virus list shows as installed; null if it can't be read. */
  readonly shown?: readonly number[] | null;
  /** Hosts that someone else has changed, from this question on, counted from 1. */
  readonly changes?: Readonly<Record<number, number>>;
  readonly stop?: AbortSignal;
}

async function install(count: number, { answers, shown = [], changes = {}, stop }: Given) {
  const sent: string[] = [];
  let asked = 0;
  const unused = () => Promise.reject(new Error('not expected'));
  const installAntivirus: FleetWriter['installAntivirus'] = async (part, options) => {
    const precondition = options?.precondition?.();
    if (precondition !== undefined) return failing({ problem: precondition, outcome: 'not-sent' });
    const answer = answers[Math.min(sent.length, answers.length - 1)] ?? 'accepted';
    sent.push(part.join('+'));
    if (answer === 'lost') return failing({ outcome: 'unknown' });
    if (answer === 'not-sent' || answer === 'refused') return failing({ outcome: answer });
    return { ok: true, value: answer };
  };
  const names = [{ id: 1, name: null }, ...hosts(count).slice(1).map(Number)];
  const result = await runAntivirusStep(antivirusStep('s1', names), hosts(count), {
    writer: { installAntivirus, rename: unused, move: unused, remove: unused, refreshAntivirus: unused },
    reread: {
      names: unused,
      fleet: unused,
      async antivirus() {
        if (shown === null) return failed(problem('network', 'unread'));
        return ok(givenFleet(shown.map((id) => ({ id, name: `H${id}`, antivirus: 'installed' }))));
      },
    },
    call: stop === undefined ? {} : { stop },
    changes(part) {
      asked += 1;
      return new Map<HostId, Problem>(
        part
          .filter((id) => (changes[Number(id)] ?? Number.POSITIVE_INFINITY) <= asked)
          .map((id) => [id, changed]),
      );
    },
  });
  const left = result.failedHosts.map((each) => `${each.hostId}${each.inDoubt === true ? ' in doubt' : ''}`);
  return { sent, result, left };
}

function failing(parts: Partial<CallFailure>): WriteResult<InstallAnswer> {
  return {
    ok: false,
    failure: { problem: problem('network', 'given'), outcome: 'refused', hostIds: [], ...parts },
  };
}

describe('an install', () => {
  it('without a reply is never sent again, and is in doubt if no read shows it', async () => {
    const { sent, result, left } = await install(3, { answers: ['lost'], shown: [2] });
    expect([sent, result.outcome, left]).toEqual([['1+2+3'], 'unknown', ['1 in doubt', '3 in doubt']]);
    const shown = await install(2, { answers: ['lost'], shown: [1, 2] });
    expect(shown.result.outcome).toBe('done');
    const unread = await install(2, { answers: ['lost'], shown: null });
    expect([unread.result.outcome, unread.left]).toEqual(['unknown', ['1 in doubt', '2 in doubt']]);
  });
  it('that is refused leaves no host in doubt', async () => {
    const { result, left } = await install(2, { answers: ['refused'] });
    expect([result.outcome, left]).toEqual(['failed', ['1', '2']]);
  });
  it('that a stopped run did not send has not started, unless a part of it was accepted', async () => {
    const stop = AbortSignal.abort();
    const none = await install(2, { answers: ['not-sent'], stop });
    expect([none.result.outcome, none.left]).toEqual(['not-started', ['1', '2']]);
    const part = await install(2, { answers: ['quota-reached', 'accepted', 'not-sent'], stop });
    expect([part.sent, part.result.outcome, part.left]).toEqual([['1+2', '1', '2'], 'failed', ['2']]);
    const lost = await install(2, { answers: ['quota-reached', 'accepted', 'lost'], stop });
    expect([lost.result.outcome, lost.left]).toEqual(['unknown', ['2 in doubt']]);
  });
});

describe('a quota that is reached', () => {
  it('halves the batch in order until the rest fits, and names the others', async () => {
    const answers = ['quota-reached', 'quota-reached', 'accepted', 'quota-reached'] as const;
    const { sent, result, left } = await install(4, { answers });
    expect([sent, left]).toEqual([
      ['1+2+3+4', '1+2', '1', '2'],
      ['2', '3', '4'],
    ]);
    expect(result.problem).toMatchObject({
      code: 'antivirus-quota',
      message: 'the anti-virus quota is reached: "H2", "H3", "H4" left out',
      hostIds: ['2', '3', '4'],
    });
  });
  it('leaves out installs that a read shows', async () => {
    const { sent, result } = await install(3, { answers: ['quota-reached', 'accepted'], shown: [1, 2] });
    expect([sent, result.outcome]).toEqual([['1+2+3', '3'], 'done']);
    const all = await install(2, { answers: ['quota-reached'], shown: [1, 2] });
    expect([all.sent, all.result.outcome]).toEqual([['1+2'], 'done']);
  });
  it('lists at most ten hosts, and those without a name by their id', async () => {
    const ten = await install(10, { answers: ['unavailable'] });
    expect(ten.result.problem?.message).toMatch(/is unavailable: "1", "H2", .*"H10" left out$/);
    const eleven = await install(11, { answers: [{ unknown: 7 }] });
    expect(eleven.result.problem?.message).toMatch(
      /returned the unknown status 7: "1", .*"H10" and 1 more left out$/,
    );
  });
});

describe('a host of an install that someone else has changed', () => {
  it('is also left out if the change is found just before the call is sent', async () => {
    const { sent, left } = await install(3, { answers: ['accepted'], changes: { 2: 2 } });
    expect([sent, left]).toEqual([['1+3'], ['2']]);
  });
  it('is not followed by a call if there is no other host', async () => {
    const { sent, result } = await install(1, { answers: ['accepted'], changes: { 1: 1 } });
    expect([sent, result.outcome]).toEqual([[], 'failed']);
  });
  it('is reported together with those that are in doubt', async () => {
    const { result, left } = await install(2, { answers: ['lost'], changes: { 1: 1 } });
    expect([result.outcome, left]).toEqual(['unknown', ['1', '2 in doubt']]);
  });
});
