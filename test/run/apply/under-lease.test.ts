import { describe, expect, it } from 'vitest';
import { type Problem, problem } from '../../../src/core/problem/problem.ts';
import { underLease } from '../../../src/run/apply/under-lease.ts';
import type { FleetWriter, WriteOptions } from '../../../src/service/wire/fleet.ts';
import { groupId, hostId } from '../../given/fleet.ts';

const lost = problem('lock-lost', 'given');
const changed = problem('stale-plan', 'given');
const host = hostId(1);

/** The problem code, if any, that blocks each kind of call when its turn has come. */
async function refusals(
  lease: Problem | undefined,
  own: Problem | undefined,
): Promise<readonly (string | undefined)[]> {
  const codes: (string | undefined)[] = [];
  const turn = async <T>(options: WriteOptions | undefined, value: T) => {
    codes.push(options?.precondition?.()?.code);
    return { ok: true, value } as const;
  };
  const recording: FleetWriter = {
    rename: (_host, _name, options) => turn(options, null),
    move: (_group, _hosts, options) => turn(options, null),
    remove: (_hosts, options) => turn(options, null),
    installAntivirus: (_hosts, options) => turn(options, 'accepted' as const),
    refreshAntivirus: (_hosts, options) => turn(options, new Map()),
  };
  const writer = underLease(recording, { refusal: () => lease });
  const options = own === undefined ? undefined : { precondition: () => own };
  await writer.rename(host, 'B', options);
  await writer.move(groupId(10), [host], options);
  await writer.remove([host], options);
  await writer.installAntivirus([host], options);
  await writer.refreshAntivirus([host], options);
  return codes;
}

describe('a writer under a lease', () => {
  const every = (code: string | undefined) => Array.from({ length: 5 }, () => code);

  it('sends no call once the lease is lost', async () => {
    expect(await refusals(lost, undefined)).toEqual(every('lock-lost'));
    expect(await refusals(lost, changed)).toEqual(every('lock-lost'));
  });

  it('checks the precondition of each call while the lease is held', async () => {
    expect(await refusals(undefined, changed)).toEqual(every('stale-plan'));
  });

  it('sends every call while the lease is held and the call has no precondition', async () => {
    expect(await refusals(undefined, undefined)).toEqual(every(undefined));
  });
});
