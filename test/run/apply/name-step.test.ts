import { describe, expect, it } from 'vitest';
import { temporaryName } from '../../../src/core/model/temporary-name.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import { createReread } from '../../../src/run/apply/latest-read.ts';
import { type Learned, runNameStep } from '../../../src/run/apply/name-step.ts';
import type { FleetWriter, WriteOptions } from '../../../src/service/wire/fleet.ts';
import { hostId } from '../../given/fleet.ts';
import { renameStep, temporaryRenameStep } from '../../given/steps.ts';

type Answer = 'ok' | 'lost' | number;
type Names = readonly (readonly [number, string | null])[];

/**
 * A step with the responses to its renames, in order, the last one for all that follow; and the result of each read.
 */
async function name(
  step: Parameters<typeof runNameStep>[0],
  answers: readonly Answer[],
  names: Names | null,
  learned: Learned = { refusesCaseChanges: false },
  onCall: (options: WriteOptions) => void = () => {},
  call: WriteOptions = {},
) {
  const sent: string[] = [];
  let reads = 0;
  const rename: FleetWriter['rename'] = async (_, to, options = {}) => {
    onCall(options);
    const answer = answers[Math.min(sent.length, answers.length - 1)] ?? 'ok';
    sent.push(to);
    if (answer === 'ok') return { ok: true, value: null };
    const cause = problem(answer === 'lost' ? 'network' : 'conflict', `given ${answer}`);
    const parts =
      answer === 'lost' ? { outcome: 'unknown' as const } : { outcome: 'refused' as const, status: answer };
    return { ok: false, failure: { problem: cause, hostIds: [], ...parts } };
  };
  const unused = () => Promise.reject(new Error('not expected'));
  const result = await runNameStep(step, {
    writer: { rename, move: unused, remove: unused, installAntivirus: unused, refreshAntivirus: unused },
    reread: createReread(
      {
        read: unused,
        async readNames() {
          reads += 1;
          if (names === null) return failed(problem('network', 'unread'));
          return ok(new Map(names.map(([id, each]) => [hostId(id), each])));
        },
      },
      { sawNames: () => {}, sawFleet: () => {} },
    ),
    call,
    learned,
  });
  return { sent, reads, result };
}

const step = renameStep('s1', { id: 1, name: 'A' }, 'B');
const temporary = (id: number, to: string, taken: readonly string[] = []) =>
  temporaryName('rename', hostId(id), to, { taken: new Set(taken) });

describe('a rename that is refused', () => {
  it.each([
    [403, [[1, 'A']], 0, 'conflict'],
    [400, [[1, 'A']], 1, 'conflict'],
    [400, [], 1, 'stale-plan'],
    [400, [[1, 'by hand']], 1, 'stale-plan'],
    [400, null, 1, 'conflict'],
  ] as const)(
    'with %i fails at once, and says if someone deleted or renamed the host meanwhile: %j',
    async (status, names, expected, code) => {
      const { sent, reads, result } = await name(step, [status], names);
      expect([sent, reads, result.outcome, result.problem?.code]).toEqual([['B'], expected, 'failed', code]);
    },
  );
  it('because another host has the name names that host', async () => {
    const { sent, result } = await name(
      step,
      [409],
      [
        [3, null],
        [1, 'A'],
        [2, 'b'],
      ],
    );
    expect(sent).toEqual(['B']);
    expect(result.problem).toMatchObject({ code: 'name-conflict', hostIds: ['1', '2'] });
  });
  it('with a conflict that no read explains is sent four times', async () => {
    const { sent, result } = await name(
      step,
      [409],
      [
        [1, 'A'],
        [2, null],
      ],
    );
    expect([sent, result.outcome]).toEqual([['B', 'B', 'B', 'B'], 'failed']);
  });
  it('of a host without a name is sent again', async () => {
    const unnamed = renameStep('s1', { id: 1, name: null }, 'B');
    const { sent, result } = await name(unnamed, [409, 'ok'], [[1, null]]);
    expect([sent, result.outcome]).toEqual([['B', 'B'], 'done']);
  });
});

describe('a rename without a response', () => {
  it('is done if a read shows it', async () => {
    const { sent, result } = await name(step, ['lost'], [[1, 'B']]);
    expect([sent, result.outcome]).toEqual([['B'], 'done']);
  });
  it('is sent again if a read does not, even if another host has the name meanwhile', async () => {
    const { sent, result } = await name(
      step,
      ['lost', 'ok'],
      [
        [1, 'A'],
        [2, 'B'],
      ],
    );
    expect([sent, result.outcome]).toEqual([['B', 'B'], 'done']);
  });
  it('is unknown if no read is possible', async () => {
    const { result } = await name(step, ['lost'], null);
    expect(result.outcome).toBe('unknown');
  });
  it('is not sent again for a host that was deleted', async () => {
    const { sent, result } = await name(step, ['lost'], []);
    expect(sent).toEqual(['B']);
    expect(result.problem).toMatchObject({
      code: 'stale-plan',
      message: 'host 1 was deleted by someone else',
    });
  });
  it.each([null, 'X', temporary(1, 'C'), temporary(2, 'B')])(
    'is not sent again for a host that is %j now',
    async (now) => {
      const { sent, result } = await name(step, ['lost'], [[1, now]]);
      expect(sent).toEqual(['B']);
      expect(result.problem).toMatchObject({
        code: 'stale-plan',
        message: `host 1 was renamed by someone else, to "${now}"`,
      });
    },
  );
  it('is sent again for a host that has a temporary name for it', async () => {
    const { sent, result } = await name(step, ['lost', 'ok'], [[1, temporary(1, 'B')]]);
    expect([sent, result.outcome]).toEqual([['B', 'B'], 'done']);
  });
});

describe('a rename that changes letter case alone', () => {
  const caseOnly = renameStep('s1', { id: 1, name: 'a' }, 'A');

  it('starts with a temporary name, and without a read, once the service has refused another one', async () => {
    const learned: Learned = { refusesCaseChanges: false };
    await name(caseOnly, [409, 'ok'], [[1, 'a']], learned);
    const next = renameStep('s2', { id: 2, name: 'b' }, 'B');
    const { sent, reads, result } = await name(next, ['ok'], null, learned);
    expect([sent, reads, result.outcome]).toEqual([[temporary(2, 'B'), 'B'], 0, 'done']);
    const other = await name(renameStep('s3', { id: 3, name: 'c' }, 'D'), ['ok'], null, learned);
    expect(other.sent).toEqual(['D']);
  });
  it('gives the final name even if the run is stopped after the temporary one', async () => {
    const stops: boolean[] = [];
    const calls = { stop: new AbortController().signal };
    await name(
      caseOnly,
      [409, 'ok'],
      [[1, 'a']],
      { refusesCaseChanges: false },
      (sent) => stops.push(sent.stop !== undefined),
      calls,
    );
    await name(
      caseOnly,
      ['ok'],
      null,
      { refusesCaseChanges: true },
      (sent) => stops.push(sent.stop !== undefined),
      calls,
    );
    expect(stops).toEqual([true, true, false, true, false]);
  });
  it('learns nothing from a conflict with another host', async () => {
    const learned: Learned = { refusesCaseChanges: false };
    const names = [
      [1, 'a'],
      [2, 'A'],
    ] as const;
    const { sent, result } = await name(caseOnly, [409], names, learned);
    expect([sent, result.problem?.code, learned.refusesCaseChanges]).toEqual([['A'], 'name-conflict', false]);
  });
  it('takes no temporary name that another host has', async () => {
    const { sent } = await name(
      caseOnly,
      [409, 'ok'],
      [
        [1, 'a'],
        [2, temporary(1, 'A').toUpperCase()],
      ],
    );
    expect(sent[1]).toBe(temporary(1, 'A', [temporary(1, 'A').toLowerCase()]));
    expect(sent[1]).not.toBe(temporary(1, 'A'));
  });
  it('ends if the temporary name is refused, and continues if its response is lost', async () => {
    const refused = await name(caseOnly, [409, 400], [[1, 'a']]);
    expect([refused.sent.length, refused.result.outcome]).toEqual([2, 'failed']);
    const lost = await name(caseOnly, [409, 'lost', 'ok'], [[1, 'a']]);
    expect([lost.sent.length, lost.result.outcome]).toEqual([3, 'done']);
  });
});

describe('a temporary name that is too long for the service', () => {
  const long = 'A-LONG-NAME-OF-A-HOST';
  it.each([
    ['cycle', 'rename', 'SHORT'],
    ['deletion', 'deletion', `${long}-AND-LONGER`],
  ] as const)('is shortened to a length that the service accepts (%s)', async (why, kind, from) => {
    const { sent, result } = await name(
      temporaryRenameStep('s1', { id: 1, name: from }, long, why),
      [400, 'ok'],
      [],
    );
    const maxLength = Math.max(long.length, from.length);
    const shorter = temporaryName(kind, hostId(1), long, { taken: new Set(), maxLength });
    expect([sent[1], result.outcome, sent.length]).toEqual([shorter, 'done', 2]);
  });
  it('is shortened only once', async () => {
    const { sent, result } = await name(temporaryRenameStep('s1', { id: 1, name: 'A' }, long), [400], []);
    expect([sent.length, result.outcome]).toEqual([2, 'failed']);
  });
});
