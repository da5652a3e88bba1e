import { describe, expect, it } from 'vitest';
import { problem } from '../../../src/core/problem/problem.ts';
import type { ProblemCode } from '../../../src/core/problem/problem-code.ts';
import { endedBy } from '../../../src/run/apply/call-end.ts';
import type { CallFailure } from '../../../src/service/client/client.ts';

const failure = (outcome: CallFailure['outcome'], code: ProblemCode = 'network'): CallFailure => ({
  problem: problem(code, 'given'),
  outcome,
  hostIds: [],
});
const running = new AbortController().signal;
const stopped = AbortSignal.abort();

describe('a failed call', () => {
  it('that was not sent because the run was stopped has not started its step', () => {
    expect(endedBy(failure('not-sent'), stopped)).toEqual({ outcome: 'not-started', failedHosts: [] });
  });
  it('that was not sent for another reason has failed its step', () => {
    expect(endedBy(failure('not-sent'), running).outcome).toBe('failed');
    expect(endedBy(failure('not-sent'), undefined).outcome).toBe('failed');
  });
  it('without a response leaves its step unknown', () => {
    expect(endedBy(failure('unknown'), stopped).outcome).toBe('unknown');
  });
  it('ends the whole run if no later call can succeed', () => {
    for (const code of ['not-authenticated', 'read-only', 'lock-lost'] as const) {
      expect(endedBy(failure('refused', code), running)).toMatchObject({ outcome: 'failed', fatal: true });
    }
    expect(endedBy(failure('refused', 'conflict'), running)).toMatchObject({ fatal: false });
  });
});
