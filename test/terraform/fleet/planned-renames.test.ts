import {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPlannedRenames, type PlannedRenames } from '../../../src/terraform/fleet/planned-renames.ts';
import { plansFolder } from '../../../src/terraform/fleet/plans-folder.ts';
import { hostId } from '../../given/fleet.ts';

function folderOf(): string {
  const base = mkdtempSync(join(tmpdir(), 'plans-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return plansFolder(
    { companyId: '1', service: 'https://remote.example.com' },
    { stateDir: base, temporaryFolder: '' },
  );
}

const rename = (id: string, to: string, from: string | null = `h${id}`) => ({ hostId: hostId(id), from, to });

/** No saved plan is applied. */
const savedRenames = () => [];

const needed = { needsName: true, fleetSize: 40 };
const free = { needsName: false, fleetSize: 40 };

/** A plan process from its start to its end. */
function plan(
  folder: string,
  names: Readonly<Record<string, string>>,
  command: number | null = null,
): PlannedRenames {
  const renames = createPlannedRenames({ folder, command, savedRenames });
  for (const [id, to] of Object.entries(names)) expect(renames.add(rename(id, to), needed)).toBeUndefined();
  renames.close();
  return renames;
}

/** An apply process in which Terraform has requested these renames so far. */
function apply(folder: string, names: Readonly<Record<string, string>>, command: number | null = null) {
  const renames = createPlannedRenames({ folder, command, savedRenames });
  for (const [id, to] of Object.entries(names)) renames.add(rename(id, to), needed);
  renames.applying();
  return renames;
}

describe('the renames of a plan', () => {
  it('are known to its apply, in a process of its own', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2', 2: 'h3', 3: 'free' });
    expect(apply(folder, { 1: 'h2' }).find(hostId('2'))).toEqual(rename('2', 'h3'));
    expect(apply(folder, { 1: 'h2' }).find(hostId('4'))).toBeUndefined();
  });

  it('are written only if a host needs the name of another, with those before it', () => {
    const folder = folderOf();
    const renames = createPlannedRenames({ folder, command: null, savedRenames });
    renames.add(rename('1', 'free', null), free);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
    renames.add(rename('2', 'h3'), needed);
    renames.add(rename('3', 'other'), free);
    renames.add(rename('3', 'other'), free);
    const [file = ''] = readdirSync(folder);
    expect(readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')).toEqual([
      '{"version":1,"command":null}',
      '["1",null,"free"]',
      '["2","h2","h3"]',
      '["3","h3","other"]',
    ]);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('of another plan are not used: each rename that Terraform has requested must be in it', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2', 2: 'h3' });
    expect(apply(folder, { 1: 'other' }).find(hostId('2'))).toBeUndefined();
    expect(apply(folder, { 1: 'h2', 9: 'new' }).find(hostId('2'))).toBeUndefined();
  });

  it('are not certain if two plans fit and differ about the host', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2', 2: 'h3', 4: 'same' });
    plan(folder, { 1: 'h2', 2: 'other', 4: 'same' });
    const renames = apply(folder, { 1: 'h2' });
    expect(renames.find(hostId('2'))).toBeUndefined();
    expect(renames.find(hostId('4'))).toEqual(rename('4', 'same'));
    expect(apply(folder, { 1: 'h2', 2: 'other' }).find(hostId('2'))).toEqual(rename('2', 'other'));
  });

  it('are certain if the same Terraform command planned and applies them', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2', 2: 'h3' }, 100);
    plan(folder, { 1: 'h2', 2: 'other' }, 200);
    expect(apply(folder, { 1: 'h2' }, 200).find(hostId('2'))).toEqual(rename('2', 'other'));
    expect(apply(folder, { 1: 'h2' }, 300).find(hostId('2'))).toBeUndefined();
  });

  it('are approved in the apply by the same command or of the saved plan, and in no plan', () => {
    const folder = folderOf();
    const planned = plan(folder, { 1: 'h2', 2: 'h3' }, 100);
    expect(planned.isApproved(rename('1', 'h2'))).toBe(false);
    expect(apply(folder, {}, 100).isApproved(rename('1', 'h2'))).toBe(true);
    expect(apply(folder, {}, 100).isApproved(rename('1', 'other'))).toBe(false);
    expect(apply(folder, {}, 200).isApproved(rename('1', 'h2'))).toBe(false);
    expect(apply(folder, {}).isApproved(rename('1', 'h2'))).toBe(false);
    const saved = createPlannedRenames({
      folder: folderOf(),
      command: null,
      savedRenames: () => [[rename('1', 'h2')]],
    });
    expect(saved.isApproved(rename('1', 'h2'))).toBe(true);
  });

  it('are certain if the saved plan that is applied contains them, also if other plans differ', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2', 2: 'other' });
    const applying = (...saved: (readonly ReturnType<typeof rename>[])[]) => {
      const renames = createPlannedRenames({ folder, command: null, savedRenames: () => saved });
      renames.add(rename('1', 'h2'), needed);
      renames.applying();
      return renames.find(hostId('2'));
    };
    const one = [rename('1', 'h2'), rename('2', 'h3')];
    expect(applying(one)).toEqual(rename('2', 'h3'));
    // The other provider block is about another account.
    expect(applying([rename('1', 'x'), rename('2', 'y')], one)).toEqual(rename('2', 'h3'));
    expect(applying(one, [rename('1', 'h2'), rename('2', 'h4')])).toBeUndefined();
    expect(applying([rename('1', 'x')])).toEqual(rename('2', 'other'));
  });

  it('are removed after the apply, and those of other plans stay', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2', 2: 'h3' });
    plan(folder, { 1: 'other' });
    const renames = apply(folder, { 1: 'h2' });
    renames.close();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('are removed after a week, and only the latest fifty plans stay', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2' });
    const [old = ''] = readdirSync(folder);
    const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
    utimesSync(join(folder, old), longAgo, longAgo);
    for (let count = 0; count < 55; count += 1) plan(folder, { 1: 'h2' });
    expect(readdirSync(folder)).toHaveLength(51);
    expect(readdirSync(folder)).not.toContain(old);
  });

  it('in a file that is damaged, or of another version, are unknown', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2' });
    const head = '{"version":1,"command":null}\n["1","h1","h2"]\n';
    writeFileSync(join(folder, 'half.jsonl'), `${head}["2","h2"`);
    writeFileSync(join(folder, 'types.jsonl'), `${head}["2",5,"h3"]`);
    writeFileSync(join(folder, 'ids.jsonl'), `${head}["two","h2","h3"]`);
    writeFileSync(join(folder, 'new.jsonl'), '{"version":2}\n["1","h1","h2"]\n["2","h2","h3"]');
    expect(apply(folder, { 1: 'h2' }).find(hostId('2'))).toBeUndefined();
  });

  it("that can't be written are a warning with the parallelism that works, once", () => {
    const base = join(folderOf(), '..', '..');
    writeFileSync(join(base, 'terraform-plans'), 'a file where a folder should be');
    const folder = join(base, 'terraform-plans', 'account');
    const renames = createPlannedRenames({ folder, command: null, savedRenames });
    expect(renames.add(rename('1', 'h2'), needed)).toMatchObject({
      code: 'file-not-written',
      severity: 'warning',
      hint: expect.stringMatching(/Set state_dir to a folder that you can write to\..*-parallelism=40/),
    });
    expect(renames.add(rename('2', 'h3'), needed)).toBeUndefined();
    expect(apply(folder, { 1: 'h2' }).find(hostId('2'))).toBeUndefined();
  });

  it.runIf(process.getuid?.() === 0)('in a folder of another user are neither written nor read', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2', 2: 'h3' });
    chownSync(folder, 12_345, 12_345);
    expect(apply(folder, { 1: 'h2' }).find(hostId('2'))).toBeUndefined();
    const renames = createPlannedRenames({ folder, command: null, savedRenames });
    expect(renames.add(rename('1', 'h2'), needed)?.hint).toContain('another user owns the folder');
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
