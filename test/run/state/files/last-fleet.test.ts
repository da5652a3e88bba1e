import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountKey } from '../../../../src/core/model/account.ts';
import { hostsOf } from '../../../../src/core/model/observed.ts';
import { readLastFleet, readLatestFleet, saveLastFleet } from '../../../../src/run/state/files/last-fleet.ts';
import { givenFleet } from '../../../given/fleet.ts';
import { givenFolder } from '../../../given/given-folder.ts';

const account = { companyId: '42', service: 'https://service.example' };
const other = { companyId: '43', service: 'https://service.example' };

let stateDir: string;
beforeEach(() => {
  stateDir = givenFolder();
});

const keep = (of: typeof account, name: string) =>
  saveLastFleet(join(stateDir, 'deep', 'state'), {
    account: of,
    observed: givenFleet([{ id: 1, name }]),
  });
const folder = () => join(stateDir, 'deep', 'state', 'fleets');

async function latestName(): Promise<string | null | undefined> {
  const latest = await readLatestFleet(join(stateDir, 'deep', 'state'));
  return latest === null ? undefined : hostsOf(latest.observed)[0]?.name;
}

describe('the fleet as the last run left it', () => {
  it('is a problem with its file if it is damaged', async () => {
    await keep(account, 'A');
    const [name = ''] = await readdir(folder());
    await writeFile(join(folder(), name), '{');
    const read = await readLastFleet(join(stateDir, 'deep', 'state'), account);
    expect(read.problems[0]?.place?.file ?? read.problems[0]?.message).toContain(name);
  });
});

describe('the latest fleet of any account', () => {
  it('is the one that was written last', async () => {
    for (const [index, of] of [account, other].entries()) await keep(of, `host ${index}`);
    for (const [latest, at] of [
      ['host 0', [200, 100]],
      ['host 1', [100, 200]],
    ] as const) {
      for (const file of await readdir(folder())) {
        const path = join(folder(), file);
        const isFirst = fleetIn(file) === 'host 0';
        await utimes(path, at[isFirst ? 0 : 1], at[isFirst ? 0 : 1]);
      }
      expect(await latestName()).toBe(latest);
    }
  });

  it("is missing if there is none, or if it can't be read", async () => {
    expect(await latestName()).toBeUndefined();
    await mkdir(folder(), { recursive: true });
    expect(await latestName()).toBeUndefined();
    await writeFile(join(folder(), 'damaged.snapshot.json'), '{');
    expect(await latestName()).toBeUndefined();
  });
});

/** Which of the two fleets a file holds. */
function fleetIn(file: string): string {
  for (const [index, of] of [account, other].entries()) {
    if (file.startsWith(accountKey(of))) return `host ${index}`;
  }
  throw new Error(`not a fleet of these accounts: ${file}`);
}
