import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ApprovedFleets,
  createApprovedFleets,
} from '../../../../src/doors/terraform/fleet/approved-fleets.ts';
import { terraformCommand } from '../../../../src/doors/terraform/fleet/terraform-command.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'approved-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A process of the provider in a command. */
const processIn = (folder: string, id: string | null, isSavedPlan = false) =>
  createApprovedFleets({
    folder,
    command: id === null ? null : { id, appliesSavedPlan: () => isSavedPlan },
  });

const add = (fleets: ApprovedFleets, checksum: string, desired = 'a') =>
  fleets.add({ desired, checksum, summary: `${checksum} renames (1 call)` })?.message;

const changed =
  'the fleet has changed since the plan, and now needs another one: 1 renames (1 call) in the plan, 2 renames (1 call) now';

describe('the plan of a fleet in an apply', () => {
  it('is a problem if it differs from the plan of the same command', () => {
    const folder = temporaryFolder();
    expect(add(processIn(folder, 'apply 7'), '1')).toBeUndefined();
    expect(add(processIn(folder, 'apply 7'), '1')).toBeUndefined();
    expect(add(processIn(folder, 'apply 7'), '2')).toBe(changed);
  });

  it('is a problem if it differs from every kept plan, and the command applies a saved one', () => {
    const folder = temporaryFolder();
    add(processIn(folder, 'plan 1'), '0');
    add(processIn(folder, 'plan 2'), '1');
    expect(add(processIn(folder, 'apply 3', true), '0')).toBeUndefined();
    expect(add(processIn(folder, 'apply 4', true), '2')).toBe(changed);
  });

  it('is no problem in another plan, after a refresh, for another desired state, or of a command that is not known', () => {
    const folder = temporaryFolder();
    add(processIn(folder, 'plan 1'), '1');
    expect(add(processIn(folder, 'plan 2'), '2')).toBeUndefined();
    const refreshed = processIn(folder, 'plan 1');
    refreshed.refreshing();
    expect(add(refreshed, '3')).toBeUndefined();
    expect(add(processIn(folder, 'apply 1', true), '4', 'another')).toBeUndefined();
    expect(add(processIn(folder, null), '5')).toBeUndefined();
  });

  it('is no problem if the file is damaged, missing or not writable', () => {
    const folder = temporaryFolder();
    add(processIn(folder, 'plan 1'), '1');
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '[{"command":1},');
    expect(add(processIn(folder, 'plan 1'), '2')).toBeUndefined();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o400);
    expect(add(processIn(join(file, 'below'), 'plan 1'), '1')).toBeUndefined();
  });
});

describe('the command that started the provider', () => {
  it.skipIf(process.platform !== 'linux')('applies a saved plan if its last argument is one', async () => {
    const folder = temporaryFolder();
    const saved = join(folder, 'saved');
    writeFileSync(saved, 'PK..');
    writeFileSync(join(folder, 'other'), 'name = 1');
    const commandOf = async (...words: readonly string[]) => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', ...words]);
      onTestFinished(() => void child.kill());
      await once(child, 'spawn');
      return terraformCommand(child.pid as number);
    };
    const apply = await commandOf('apply', '-no-color', saved);
    expect(apply?.appliesSavedPlan()).toBe(true);
    expect((await commandOf('apply', join(folder, 'other')))?.appliesSavedPlan()).toBe(false);
    expect((await commandOf('plan', saved))?.appliesSavedPlan()).toBe(false);
    expect(await commandOf('test')).toBeNull();
    expect((await commandOf('apply'))?.id).not.toBe(apply?.id);
    expect(terraformCommand(2 ** 30)?.appliesSavedPlan()).toBe(false);
  });
});
