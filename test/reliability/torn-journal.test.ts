import { describe, expect, it } from 'vitest';
import { afterwards, callsOf, runUntilSettled } from './crash-cases.ts';
import { deathMoments } from './mortal-process.ts';
import { everything, installsAndLetterCase } from './small-fleets.ts';
import { createWorld, type World } from './world.ts';

/** Runs with the same memory behave alike, so one of them represents all. */
async function repairWith(dead: World, length: number, tried: Set<string>, installs: number) {
  const world = dead.fork();
  const file = world.shelf.files.at(-1);
  if (file !== undefined) file.text = file.text.slice(0, length);
  const remembered = [...world.shelf.recall().requests.keys()].sort().join();
  if (tried.has(remembered)) return [];
  tried.add(remembered);
  const ended = await runUntilSettled(world);
  const exit = ended.kind === 'ended' ? ended.exit : null;
  return [
    ...(exit === 0 ? [] : [`journal of ${length} bytes: exited with ${exit}`]),
    ...(await afterwards(world, { installs })).map((each) => `journal of ${length} bytes: ${each}`),
  ];
}

describe('a journal that is cut off', { timeout: 120_000 }, () => {
  it.each([everything, installsAndLetterCase])(
    '$title: at any byte that was not yet on disk, nothing is installed twice; at any other byte, at most once more',
    async (fleet) => {
      const findings: string[] = [];
      let cuts = 0;
      for (const [call, action] of (await callsOf(fleet)).entries()) {
        if (action !== 'installAntivirus' && action !== 'deleteHosts') continue;
        for (const moment of deathMoments) {
          const dead = createWorld(fleet);
          await dead.run({ death: { call, moment } });
          await dead.drain();
          const { text = '', synced = 0 } = dead.shelf.files.at(-1) ?? {};
          const whole = new Set<string>();
          for (let length = text.length; length >= synced; length -= 1, cuts += 1)
            findings.push(...(await repairWith(dead, length, whole, 1)));
          const torn = new Set<string>();
          for (let length = synced - 1; length >= 0; length -= 1, cuts += 1)
            findings.push(...(await repairWith(dead, length, torn, 2)));
        }
      }
      expect(cuts).toBeGreaterThan(1000);
      expect(findings).toEqual([]);
    },
  );
});
