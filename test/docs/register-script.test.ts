import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { readSeed } from '../../src/service/emulator/seed.ts';
import { givenService } from '../given/command-line.ts';

const example = join(import.meta.dirname, '../../examples/register');
const hour = 3_600_000;

/** The script of the example on its fleet, and what it leaves behind. */
async function givenScript(edit: (register: string) => string = (register) => register) {
  const folder = await mkdtemp(join(tmpdir(), 'rampart-script-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(example, 'script.mjs'), join(folder, 'script.mjs'));
  await writeFile(join(folder, 'assets.csv'), edit(await readFile(join(example, 'assets.csv'), 'utf8')));
  const seed = readSeed(await readFile(join(example, 'seed.yaml'), 'utf8'), 'seed.yaml');
  if (!seed.ok) throw new Error(seed.problems[0]?.message);
  const clock = createVirtualClock(Date.parse('2026-11-21T09:00:00Z'));
  const { emulator, env } = await givenService(seed.value, { clock });
  const runScript = () =>
    new Promise<{ readonly failed: boolean; readonly out: string; readonly err: string }>((resolve) => {
      execFile(process.execPath, ['script.mjs'], { cwd: folder, env }, (error, out, err) =>
        resolve({ failed: error !== null, out, err }),
      );
    });
  const nameOf = (id: string) => emulator.state().hosts.find((host) => host.id === id)?.name;
  const writes = () => emulator.requests.filter(({ method }) => method === 'PUT').length;
  return { clock, runScript, nameOf, writes };
}

describe('the script that the guide compares with', { timeout: 120_000 }, () => {
  it('has at most 60 lines', async () => {
    const text = await readFile(join(example, 'script.mjs'), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });

  it('names hosts by their serial numbers, also by one that many machines have, and stops at a name in use', async () => {
    const { clock, runScript, nameOf, writes } = await givenScript();
    const { failed, err } = await runScript();
    expect({ failed, err }).toMatchObject({
      failed: false,
      err: 'LAPTOP-LXFVS2R is not renamed to BER-LT-031: 409 {"message":"The description is already in use."}\n',
    });
    expect(['1001', '1090', '1290'].map(nameOf)).toEqual(['BER-LT-001', 'BER-LT-031', 'LAPTOP-LXFVS2R']);
    // The old host of this machine is gone.
    expect(nameOf('1091')).toBe('BER-LT-032');
    // The inventory of LAB-PC, and a row of the register, have "To be filled by O.E.M." in place of a serial number.
    expect(nameOf('1291')).toBe('MUC-LT-016');
    expect(writes()).toBe(251);
    // The service makes no second report at once, so a script that ended early has to wait.
    expect((await runScript()).err).toContain('Error: 429');
    await clock.advance(hour);
    expect((await runScript()).failed).toBe(false);
    expect(writes()).toBe(252);
  });

  it('takes an export that ended early for fewer machines', async () => {
    const { runScript, writes } = await givenScript((register) =>
      register.slice(0, Math.floor(register.length / 2)),
    );
    expect((await runScript()).failed).toBe(false);
    expect(writes()).toBeLessThan(130);
  });

  it('takes the last of two rows with one serial number', async () => {
    const { runScript, nameOf } = await givenScript(
      (register) => `${register.trimEnd()}\nA-1;5CG1HFE865;WRONG;Berlin;;;in use;\n`,
    );
    expect((await runScript()).failed).toBe(false);
    expect(nameOf('1001')).toBe('WRONG');
  });
});
