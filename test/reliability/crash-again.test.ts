import { describe, expect, it } from 'vitest';
import { afterwards, callsOf, runUntilSettled } from './crash-cases.ts';
import { deathMoments } from './mortal-process.ts';
import { sampleOf } from './row.ts';
import { cycleAndOwnerToDelete, everything } from './small-fleets.ts';
import { createWorld } from './world.ts';

describe('a crash in the run that repairs a crash', { timeout: 120_000 }, () => {
  it.each([cycleAndOwnerToDelete, everything])('$title: the third run repairs it', async (fleet) => {
    const { length } = await callsOf(fleet);
    const findings: string[] = [];
    for (let first = 0; first < length; first += 1) {
      const isTried = sampleOf(first);
      const once = createWorld(fleet);
      await once.run({ death: { call: first, moment: 'reply lost' } });
      await once.drain();
      for (let second = 0; second < length; second += 1) {
        for (const [nth, moment] of deathMoments.entries()) {
          if (!isTried(second * deathMoments.length + nth)) continue;
          const world = once.fork();
          const ended = await world.run({ death: { call: second, moment } });
          await world.drain();
          // The run may be over before its call of that number.
          if (ended.kind === 'ended') expect([0, 5]).toContain(ended.exit);
          const last = await runUntilSettled(world);
          const exit = last.kind === 'ended' ? last.exit : null;
          const found = [
            ...(exit === 0 ? [] : [`exited with ${exit}`]),
            ...(await afterwards(world, { installs: 1 })),
          ];
          findings.push(...found.map((each) => `death at ${first}, then at ${second} (${moment}): ${each}`));
          if (ended.kind === 'ended') break;
        }
      }
    }
    expect(findings).toEqual([]);
  });
});
