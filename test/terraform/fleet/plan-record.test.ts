import {
  appendFileSync,
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
import { createPlanRecord, type RecordedNames } from '../../../src/terraform/fleet/plan-record.ts';
import { accountPlansFolder } from '../../../src/terraform/fleet/plans-folder.ts';
import { hostId } from '../../given/fleet.ts';

function folderOf(): string {
  const base = mkdtempSync(join(tmpdir(), 'plans-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return accountPlansFolder(
    { companyId: '1', service: 'https://remote.example.com' },
    { stateDir: base, temporaryFolder: '' },
  );
}

const rename = (id: string, to: string, from: string | null = `h${id}`) => ({ hostId: hostId(id), from, to });

type Names = Readonly<Record<string, string>>;

/** Records renames. The resources have these tokens in their private data; by default, the one of the plan itself. */
function add(
  record: RecordedNames,
  names: Names,
  tokens: (id: string) => string | undefined = () => record.token,
) {
  return Object.entries(names).map(([id, to]) =>
    record.add(rename(id, to), { token: tokens(id), needsName: true, fleetSize: 40 }),
  );
}

/** A plan process from its start to its end; gives the token that its resources keep. */
function plan(
  folder: string,
  names: Names,
  command: string | null = null,
  tokens?: (id: string) => string | undefined,
) {
  const record = createPlanRecord({ folder, command });
  for (const each of add(record, names, tokens)) expect(each).toEqual({ isApproved: false });
  record.close();
  return record.token;
}

/** An apply process in which Terraform has planned these renames again so far. */
function apply(folder: string, names: Names, token: string | undefined, command: string | null = null) {
  const record = createPlanRecord({ folder, command });
  const added = add(record, names, () => token);
  record.applying();
  return { ...record, added };
}

const recordsIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

describe('the renames of a plan', () => {
  it('are known to the apply whose resources have the token of the plan', () => {
    const folder = folderOf();
    const token = plan(folder, { 1: 'h2', 2: 'h3', 3: 'free' });
    const { find, added } = apply(folder, { 1: 'h2' }, token);
    expect(added).toEqual([{ isApproved: true }]);
    expect(find(hostId('2'))).toEqual(rename('2', 'h3'));
    expect(find(hostId('4'))).toBeUndefined();
  });

  it('are unknown to an apply without the token, whatever it renames', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2', 2: 'h3' });
    for (const token of [undefined, 'another token']) {
      const { find, added } = apply(folder, { 1: 'h2' }, token);
      expect(added).toEqual([{ isApproved: false }]);
      expect(find(hostId('2'))).toBeUndefined();
    }
  });

  it('of a plan that was discarded do not count in the apply of another one', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2', 2: 'discarded' });
    const token = plan(folder, { 1: 'h2', 2: 'h3' });
    expect(apply(folder, { 1: 'h2' }, token).find(hostId('2'))).toEqual(rename('2', 'h3'));
  });

  it('are not used if the resource that has the token is renamed in another way', () => {
    const folder = folderOf();
    const token = plan(folder, { 1: 'h2', 2: 'h3' });
    expect(apply(folder, { 1: 'other' }, token).find(hostId('2'))).toBeUndefined();
  });

  it('of several provider blocks count together, except for a host about which they differ', () => {
    const folder = folderOf();
    const one = plan(folder, { 1: 'h2', 2: 'h3', 5: 'x' });
    const other = plan(folder, { 3: 'h4', 4: 'free', 5: 'y' });
    const record = createPlanRecord({ folder, command: null });
    add(record, { 1: 'h2' }, () => one);
    add(record, { 3: 'h4' }, () => other);
    expect(['2', '4', '5'].map((id) => record.find(hostId(id)))).toEqual([
      rename('2', 'h3'),
      rename('4', 'free'),
      undefined,
    ]);
  });

  it('are known within one command to a resource that was read before the plan began', () => {
    const folder = folderOf();
    const tokens = (id: string) => (id === '1' ? 'an earlier token' : undefined);
    plan(folder, { 1: 'h2', 2: 'h3' }, 'host 100', tokens);
    const find = (token: string, command: string | null) =>
      apply(folder, { 1: 'h2' }, token, command).find(hostId('2'));
    expect(find('an earlier token', 'host 100')).toEqual(rename('2', 'h3'));
    expect(find('an earlier token', 'host 200')).toBeUndefined();
    expect(find('an earlier token', null)).toBeUndefined();
    expect(find('another token', 'host 100')).toBeUndefined();
  });

  it('are recorded only if a host needs the name of another one, together with earlier renames', () => {
    const folder = folderOf();
    const record = createPlanRecord({ folder, command: null });
    const circumstances = { token: record.token, needsName: false, fleetSize: 40 };
    record.add(rename('1', 'free', null), circumstances);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
    record.add(rename('2', 'h3'), { ...circumstances, needsName: true });
    record.add(rename('3', 'other'), circumstances);
    record.add(rename('3', 'other'), circumstances);
    const [path = ''] = recordsIn(folder);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual([
      '{"version":2,"command":null}',
      '["1",null,"free"]',
      '["2","h2","h3"]',
      '["3","h3","other"]',
    ]);
  });

  it('are in a file that only the user can read, and that does not contain the token', () => {
    const folder = folderOf();
    const token = plan(folder, { 1: 'h2' });
    const [path = ''] = recordsIn(folder);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(path + readFileSync(path, 'utf8')).not.toContain(token);
  });

  it.each(
    Object.entries<(path: string) => void>({
      'with a line that the plan did not sign': (path) =>
        appendFileSync(path, `${'0'.repeat(64)} ["4","h4","h9"]\n`),
      'with a line without a signature': (path) => appendFileSync(path, '["4","h4","h9"]\n'),
      'whose line has another name': (path) =>
        writeFileSync(path, readFileSync(path, 'utf8').replace('h3', 'h9')),
      'that ends in the middle of a line': (path) =>
        writeFileSync(path, readFileSync(path, 'utf8').slice(0, -5)),
      'that is empty': (path) => writeFileSync(path, ''),
      'that is not text': (path) => writeFileSync(path, Buffer.from([0, 255, 254, 10, 32])),
    }),
  )('in a record %s are unknown', (_, damage) => {
    const folder = folderOf();
    const token = plan(folder, { 1: 'h2', 2: 'h3' });
    for (const path of recordsIn(folder)) damage(path);
    const { find, added } = apply(folder, { 1: 'h2' }, token);
    expect(added).toEqual([{ isApproved: false }]);
    expect(['2', '4'].map((id) => find(hostId(id)))).toEqual([undefined, undefined]);
  });

  it('are removed after the apply, and those of other plans are kept', () => {
    const folder = folderOf();
    const token = plan(folder, { 1: 'h2', 2: 'h3' }, 'host 1', (id) =>
      id === '1' ? 'an earlier token' : undefined,
    );
    const other = plan(folder, { 1: 'other' });
    expect(readdirSync(folder)).toHaveLength(3);
    apply(folder, { 1: 'h2' }, token).close();
    expect(readdirSync(folder)).toHaveLength(1);
    expect(apply(folder, { 1: 'other' }, other).added).toEqual([{ isApproved: true }]);
  });

  it('are removed after a week, and only the latest fifty records are kept', () => {
    const folder = folderOf();
    plan(folder, { 1: 'h2' });
    const [old = ''] = recordsIn(folder);
    const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
    utimesSync(old, longAgo, longAgo);
    for (let count = 0; count < 55; count += 1) plan(folder, { 1: 'h2' });
    expect(readdirSync(folder)).toHaveLength(51);
    expect(recordsIn(folder)).not.toContain(old);
  });

  it("that can't be recorded are a warning with the parallelism that works, once", () => {
    const base = join(folderOf(), '..', '..');
    writeFileSync(join(base, 'terraform-plans'), 'a file where a folder should be');
    const folder = join(base, 'terraform-plans', 'account');
    const record = createPlanRecord({ folder, command: null });
    const [first, second] = add(record, { 1: 'h2', 2: 'h3' });
    expect(first?.warning).toMatchObject({
      code: 'file-not-written',
      severity: 'warning',
      hint: expect.stringMatching(
        /Set state_dir to a folder that you can write to\..*-parallelism=40.*rampart_fleet/,
      ),
    });
    expect(second).toEqual({ isApproved: false });
    expect(apply(folder, { 1: 'h2' }, record.token).find(hostId('2'))).toBeUndefined();
  });

  it.runIf(process.getuid?.() === 0)('in a folder of another user are neither written nor read', () => {
    const folder = folderOf();
    const token = plan(folder, { 1: 'h2', 2: 'h3' });
    chownSync(folder, 12_345, 12_345);
    expect(apply(folder, { 1: 'h2' }, token).find(hostId('2'))).toBeUndefined();
    const [added] = add(createPlanRecord({ folder, command: null }), { 1: 'h2' });
    expect(added?.warning?.hint).toContain('another user owns the folder');
    expect(readdirSync(folder)).toHaveLength(1);
  });
});
