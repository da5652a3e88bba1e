import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { changesFleet } from '../../src/service/emulator/emulated-action.ts';
import { findBreaches, type RealService, realService, someThirtyCalls } from './real-service.ts';

const apply = ['apply', '-f', 'fleet.yaml', '--auto-approve'];
const timeout = 60_000;

/** Sends a signal once the third change has been carried out, and calls are in flight. */
function interrupt(service: RealService, signal: NodeJS.Signals, latencyMs = 1_000) {
  const run = service.start(apply);
  let writes = 0;
  service.watch(({ action }) => {
    if (action === null || !changesFleet(action)) return;
    writes += 1;
    if (writes !== 3) return;
    service.setLatency(latencyMs);
    setTimeout(() => run.child.kill(signal), 50);
  });
  return run;
}

async function expectNextRunConverges(service: RealService): Promise<void> {
  await service.quiet();
  const { code, out, err } = await service.start(apply).ended;
  expect(`${code} ${code === 0 ? '' : out + err}`).toBe('0 ');
  expect(findBreaches(service)).toEqual([]);
}

function unanswered({ emulator }: RealService): number {
  return emulator.requests.filter(({ status }) => status === null).length;
}

describe('the real process, interrupted', () => {
  it('SIGTERM: finishes the calls in flight, sends nothing more and exits with 130', {
    timeout,
  }, async () => {
    const service = await realService(someThirtyCalls);
    const { code, out } = await interrupt(service, 'SIGTERM').ended;
    expect(code).toBe(130);
    expect(out).toContain('Interrupted at a safe point');
    expect(unanswered(service)).toBe(0);
    await expectNextRunConverges(service);
  });

  it('the same SIGINT twice, as a group and a runner send it, counts once', { timeout }, async () => {
    const service = await realService(someThirtyCalls);
    const run = interrupt(service, 'SIGINT');
    await run.says('Stopping at a safe point');
    run.child.kill('SIGINT');
    const { code, out } = await run.ended;
    expect(code).toBe(130);
    expect(out).toContain('Interrupted at a safe point');
    expect(unanswered(service)).toBe(0);
  });

  it('a second SIGINT stops at once, with calls in flight', { timeout }, async () => {
    const service = await realService(someThirtyCalls);
    const run = interrupt(service, 'SIGINT', 3_000);
    await run.says('Stopping at a safe point');
    await systemClock.sleep(1_200);
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect(unanswered(service)).toBeGreaterThan(0);
    await expectNextRunConverges(service);
  });
});
