import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ApprovedPlans, createApprovedPlans } from '../../../src/terraform/fleet/approved-plans.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'approved-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Circumstances {
  readonly appliesOwnPlan?: boolean;
  /** What the saved plan shows of the resource `a`. */
  readonly saved?: string;
}

/** A process of the provider in a command. */
const processIn = (folder: string, id: string | null, { appliesOwnPlan = true, saved }: Circumstances = {}) =>
  createApprovedPlans({
    folder,
    command: () => (id === null ? null : { id, appliesOwnPlan, findsSavedPlans: true, savedPlan: null }),
    savedPlans: () => (saved === undefined ? [] : [{ resource: 'a', shown: saved }]),
  });

const add = (plans: ApprovedPlans, shown: string, resource = 'a') => plans.add({ resource, shown })?.shown;

describe('the plan of a resource in an apply', () => {
  it('is compared with the plan of the same command', () => {
    const folder = temporaryFolder();
    const plan = processIn(folder, 'apply 7');
    expect([add(plan, '1'), add(plan, '9', 'b')]).toEqual([undefined, undefined]);
    const [file = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, file), 'utf8')).toBe('{"command":"apply 7"}\n["a","1"]\n["b","9"]\n');
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(add(processIn(folder, 'apply 7'), '1')).toBeUndefined();
    expect(add(processIn(folder, 'apply 7'), '2')).toBe('1');
    expect(add(processIn(folder, 'apply 7'), '1', 'b')).toBe('9');
    expect(processIn(folder, 'apply 7').find('b')?.shown).toBe('9');
    expect([plan.find('b'), processIn(folder, 'apply 7').find('c')]).toEqual([undefined, undefined]);
  });

  it('is compared with the saved plan, in a folder without files', () => {
    const folder = temporaryFolder();
    const saved = () => processIn(folder, 'apply 3', { appliesOwnPlan: false, saved: '1' });
    expect(add(saved(), '1')).toBeUndefined();
    expect(add(saved(), '2')).toBe('1');
    expect(add(saved(), '2', 'another')).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not compared with the plan of another command, after a refresh, or if the command is not known', () => {
    const folder = temporaryFolder();
    add(processIn(folder, 'apply 1'), '1');
    expect(add(processIn(folder, 'apply 2'), '2')).toBeUndefined();
    const refreshed = processIn(folder, 'apply 1');
    refreshed.refreshing();
    expect(add(refreshed, '3')).toBeUndefined();
    expect(add(processIn(folder, null), '5')).toBeUndefined();
  });

  it('is kept only by a command that may apply it, until the apply ends', () => {
    const folder = temporaryFolder();
    add(processIn(folder, 'plan 1', { appliesOwnPlan: false }), '1');
    expect(readdirSync(folder)).toEqual([]);
    const plan = processIn(folder, 'apply 2');
    add(plan, '1');
    add(processIn(folder, 'apply 3'), '1');
    plan.close();
    expect(readdirSync(folder)).toHaveLength(2);
    const apply = processIn(folder, 'apply 2');
    add(apply, '1');
    apply.close();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('is not compared if the file is damaged, missing or not writable', () => {
    const folder = temporaryFolder();
    add(processIn(folder, 'plan 1'), '1');
    for (const text of [
      '{"command":1}\n["a","1"]',
      '{"command":"plan 1"}\n["a",1]',
      '{"command":"plan 1"}\n["',
    ])
      for (const name of readdirSync(folder)) {
        writeFileSync(join(folder, name), text);
        expect(add(processIn(folder, 'plan 1'), '2')).toBeUndefined();
      }
    const file = join(folder, 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o400);
    expect(add(processIn(join(file, 'below'), 'plan 1'), '1')).toBeUndefined();
  });
});
