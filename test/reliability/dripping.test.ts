import { describe, expect, it, type TestContext } from 'vitest';
import { type Dripping, serveDripping } from '../given/dripping-service.ts';
import type { FollowedProcess } from '../given/follow-process.ts';
import { type RealService, realService, someThirtyCalls } from './real-service.ts';

const timeout = 60_000;
const apply = ['apply', '-f', 'fleet.yaml', '--auto-approve'];
/** A request may take a second, and is not sent again. */
const short = ['--request-timeout', '1s', '--max-wait', '1s'];

async function drippingService(
  { onTestFinished }: TestContext,
  isDripping: Dripping['isDripping'],
): Promise<{ readonly service: RealService; readonly dripping: Dripping }> {
  const dripping: Dripping = { isDripping, drips: 0 };
  const service = await realService(
    someThirtyCalls,
    (emulator) => serveDripping(emulator, dripping, onTestFinished),
    onTestFinished,
  );
  return { service, dripping };
}

async function dripsBegun(dripping: Dripping): Promise<void> {
  await expect.poll(() => dripping.drips, { timeout: 20_000 }).toBeGreaterThan(0);
}

async function endOf(run: FollowedProcess) {
  const start = Date.now();
  const ended = await run.ended;
  return { ...ended, ms: Date.now() - start };
}

// They wait most of the time, so all of them run at once.
describe.concurrent('a response body that arrives endlessly slowly, over a real socket', () => {
  it('plan ends when the time for one request is over', { timeout }, async (test) => {
    const { service, dripping } = await drippingService(test, (method) => method === 'GET');
    const { code, err } = await service.start(['plan', '-f', 'fleet.yaml', ...short]).ended;
    expect(code).toBe(1);
    expect(err).toContain('the response was not complete after 1 s');
    expect(err).toContain('--request-timeout');
    expect(dripping.drips).toBe(1);
  });

  it('inventory pull ends, and stores nothing that did not arrive', { timeout }, async (test) => {
    const { service } = await drippingService(test, (_, path) => path.includes('/reports/'));
    const { code, err } = await service.start(['hosts', 'inventory', 'pull', '--hardware', ...short]).ended;
    expect(code).not.toBe(0);
    expect(err).toContain('0 of 24');
  });

  it('a write with an endless response is in doubt, read again, and never sent twice', {
    timeout,
  }, async (test) => {
    const { service, dripping } = await drippingService(test, (method) => method === 'PUT');
    const { code } = await service.start([...apply, ...short]).ended;
    expect(dripping.drips).toBeGreaterThan(0);
    expect(code).toBe(0);
  });

  it('the first SIGTERM ends an apply with endless responses within seconds', { timeout }, async (test) => {
    const { service, dripping } = await drippingService(test, (method) => method !== 'GET');
    const run = service.start(apply);
    await dripsBegun(dripping);
    run.child.kill('SIGTERM');
    const { code, ms } = await endOf(run);
    expect(code).toBe(130);
    expect(ms).toBeLessThan(12_000);
  });

  it('apply --deadline ends within the grace period of each request, although a write does not end', {
    timeout: 120_000,
  }, async (test) => {
    const { service, dripping } = await drippingService(test, (method) => method !== 'GET');
    const { code, ms } = await endOf(service.start([...apply, '--deadline', '2s']));
    expect(dripping.drips).toBeGreaterThan(0);
    expect(code).toBe(5);
    expect(ms).toBeLessThan(100_000);
  });

  it('the first SIGTERM ends a plan that reads an endless list at once', { timeout }, async (test) => {
    const { service, dripping } = await drippingService(test, (method) => method === 'GET');
    const run = service.start(['plan', '-f', 'fleet.yaml']);
    await dripsBegun(dripping);
    run.child.kill('SIGTERM');
    const { code, ms } = await endOf(run);
    expect(code === null || code === 130).toBe(true);
    expect(ms).toBeLessThan(4_000);
  });

  it('the first SIGINT ends an inventory pull with an endless page within seconds', {
    timeout,
  }, async (test) => {
    const { service, dripping } = await drippingService(test, (_, path) => path.includes('/reports/'));
    const run = service.start(['hosts', 'inventory', 'pull', '--hardware']);
    await dripsBegun(dripping);
    run.child.kill('SIGINT');
    const { ms } = await endOf(run);
    expect(ms).toBeLessThan(12_000);
  });
});
