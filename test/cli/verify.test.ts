import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printPlan, readPlan } from '../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { workplace } from '../given/command-line.ts';

const seed = `hosts:
  - { id: 1, name: A }
  - { id: 2, name: B }
  - { id: 3, name: C }
`;
const fleet = 'version: 1\nhosts:\n  - { id: 1, name: B }\n  - { id: 2, name: A }\n';

async function planned() {
  const place = await workplace({ 'seed.yaml': seed, 'fleet.yaml': fleet });
  expect(await place.rampart('plan --emulator=seed.yaml --out plan.json')).toExit(0);
  const text = await readFile(join(place.folder, 'plan.json'), 'utf8');
  const read = readPlan(text, 'plan.json');
  if (!read.ok) throw new Error('no plan');
  /** A plan with its checksum and digest, as a planner with a bug, or a forger, would write it. */
  const writeForged = (change: Partial<Plan>) =>
    place.write('forged.json', printPlan({ ...read.value, ...change }));
  return { ...place, plan: read.value, writeForged };
}

describe('verify', () => {
  it('says what a sound plan does, without a call and without credentials', async () => {
    const { rampart, plan } = await planned();
    expect(await rampart('verify plan.json')).toEqual({
      code: 0,
      out: 'The plan is sound. It changes 2 hosts with 3 calls, and no plan needs fewer.\n',
      err: '',
    });
    expect(JSON.parse((await rampart('verify plan.json --json')).out)).toEqual({
      sound: true,
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      hosts: 2,
      calls: plan.steps.length,
    });
  });

  it('lists what is wrong with a plan whose checksum and digest are right, and no command applies it', async () => {
    const { rampart, plan, writeForged } = await planned();
    const steps = plan.steps.map((step) => ({ ...step, after: [] }));
    await writeForged({ steps });
    const ran = await rampart('verify forged.json');
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('error[plan-unsound]: the plan is unsound at s2: it does not wait for s1');
    expect(ran.err).toContain('--> forged.json:1:1');
    expect(ran.err).toContain('it does not wait for s1, which renames the same host');
    for (const command of ['apply', 'show', 'plan rehearse']) {
      const refused = await rampart([...command.split(' '), 'forged.json', '--emulator=seed.yaml']);
      expect({ command, code: refused.code }).toEqual({ command, code: 3 });
      expect(refused.err).toContain('error[plan-unsound]');
    }
  });

  it('compares the plan with a snapshot', async () => {
    const { rampart, write } = await planned();
    const snapshot = async (text: string) => {
      await write('seed.yaml', text);
      expect(await rampart('hosts snapshot --emulator=seed.yaml --out fleet.snapshot.json')).toExit(0);
      return rampart('verify plan.json --observed fleet.snapshot.json');
    };
    expect(await snapshot(seed)).toMatchObject({ code: 0 });
    const renamed = await snapshot(seed.replace('name: A', 'name: Z'));
    expect(renamed.code).toBe(7);
    expect(renamed.err).toContain('error[stale-plan]: host 1 has another name or group in the fleet');
    const gone = await snapshot(seed.replace('  - { id: 2, name: B }\n', ''));
    expect(gone.err).toContain('host 2 is not in the fleet');
  });

  it.each([
    ['a file that is no plan', 'fleet.yaml', 3, 'plan-file-invalid'],
    ['no file', 'none.json', 3, 'file-missing'],
  ])('refuses %s', async (_, file, code, problem) => {
    const { rampart } = await planned();
    expect(await rampart(['verify', file])).toExit(code, `error[${problem}]`);
  });
});
