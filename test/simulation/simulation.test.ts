import { describe, expect, it } from 'vitest';
import { busyScript } from './script/busy-script.ts';
import { makeScript } from './script/make-script.ts';
import { steadyScript } from './script/steady-script.ts';
import { simulate } from './simulate.ts';

/** `npm run simulate` tries other seeds until someone stops it. The last two once broke a law. */
const seeds = [5_000, 5_001, 5_002, 5_003, 5_424, 5_813, 6_832];

describe('a whole cluster in virtual time', () => {
  it.each(seeds)('obeys every law in the history of seed %i', async (seed) => {
    expect((await simulate(makeScript(seed))).breach).toBeUndefined();
  });

  it('has the same history each time for the same seed', async () => {
    const script = makeScript(5_001);
    expect(await simulate(script)).toEqual(await simulate(script));
  });

  it('applies what people approve while hosts enroll and change all the time', async () => {
    const { breach, approved, applied, closed, writes } = await simulate(busyScript(45));
    expect(breach).toBeUndefined();
    expect(approved).toBeGreaterThanOrEqual(14);
    expect([applied, closed]).toEqual([approved, 0]);
    // Each host that enrolled before the last approval has its name, and those that change get theirs between two edits.
    expect(writes).toBeGreaterThan(45);
  });

  it('applies an edit within the limits and converges, without people and faults', async () => {
    const { breach, ms: _, ...counts } = await simulate(steadyScript(0.125));
    expect(breach).toBeUndefined();
    expect(counts).toMatchObject({ runs: 3, writes: 3 });
  });
});
