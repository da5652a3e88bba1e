import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inventoryPlaceOf } from '../../../src/terraform/provider/connection/inventory-place-of.ts';
import { createStateOpener } from '../../../src/terraform/provider/connection/state-opener.ts';

const nothing = { state: null, state_dir: null, emulator: null };
const database = 'postgresql://rampart:pass-of-block@db.example.com/one';
const env = { RAMPART_STATE_URL: 'postgresql://rampart:pass-of-env@db.example.com/two' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rampart-opener-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function placeOf(config: Parameters<typeof createStateOpener>[0], given: typeof env | object = {}) {
  const opener = createStateOpener(config, given as Readonly<Record<string, string>>);
  if (!opener.ok) return opener.problems[0]?.message;
  if (opener.value === null) return null;
  const state = await opener.value.open();
  await opener.value.close();
  return state.ok ? state.value.place : state.problems[0]?.message;
}

describe('the place where the provider records runs', () => {
  it('is nowhere if nothing is set', async () => {
    expect(await placeOf(nothing)).toBeNull();
  });
  it('is the folder of state_dir', async () => {
    expect(await placeOf({ ...nothing, state_dir: folder })).toBe(`the folder ${folder}`);
  });
  it('is not a folder whose records are part of the repository, because a pull request may have forged them', async () => {
    const repository = join(folder, 'repository');
    const state_dir = join(repository, '.rampart');
    mkdirSync(state_dir, { recursive: true });
    const git = (...args: readonly string[]) =>
      execFileSync('git', args, { cwd: repository, stdio: 'ignore' });
    git('init');
    const given = { PATH: process.env['PATH'] };
    expect(await placeOf({ ...nothing, state_dir }, given)).toBe(`the folder ${state_dir}`);
    writeFileSync(join(state_dir, 'forged.jsonl'), '{}');
    git('add', '-f', '.rampart/forged.jsonl');
    expect(await placeOf({ ...nothing, state_dir }, given)).toBe(
      'the records of earlier runs are part of the repository: .rampart/forged.jsonl',
    );
  });
  it('is the database of the environment rather than the folder', async () => {
    expect(await placeOf({ ...nothing, state_dir: folder }, env)).toBe(
      'the database two on db.example.com:5432',
    );
  });
  it('is the database of the block rather than that of the environment', async () => {
    const state = { url: database, url_file: null };
    expect(await placeOf({ ...nothing, state }, env)).toBe('the database one on db.example.com:5432');
  });
  it('is the database that a file names', async () => {
    const file = join(folder, 'url');
    writeFileSync(file, `${database}\n`);
    expect(await placeOf({ ...nothing, state: { url: null, url_file: file } })).toMatch(/database one/);
  });
  it('is never a database for an emulated fleet', async () => {
    const emulator = { seed_file: null, state_file: 'fleet.yaml' };
    const state = { url: database, url_file: null };
    expect(await placeOf({ ...nothing, emulator, state }, env)).toBeNull();
    expect(await placeOf({ ...nothing, emulator, state, state_dir: folder }, env)).toBe(
      `the folder ${folder}`,
    );
  });
  it.each([
    ['both settings', { url: database, url_file: 'url' }, 'are both set'],
    [
      'another kind of address',
      { url: 'mysql://root:pass-of-block@db/one', url_file: null },
      'is not the address',
    ],
    ['a file that does not exist', { url: null, url_file: '/nowhere/url' }, 'does not exist'],
    ['a file of the system', { url: null, url_file: '/proc/self/environ' }, 'is in /proc'],
  ])('is refused with %s, and the password is not shown', async (_what, state, message) => {
    const said = await placeOf({ ...nothing, state });
    expect(said).toContain(message);
    expect(said).not.toContain('pass-of');
  });
});

describe('the inventory of a provider block', () => {
  const place = (config: Partial<typeof nothing> | { readonly state_dir: string }, given: object = {}) => {
    const all = { ...nothing, ...config };
    const environment = given as Readonly<Record<string, string>>;
    const opener = createStateOpener(all, environment);
    const found = inventoryPlaceOf(all, environment, opener.ok ? opener.value : null);
    if (!found.ok) return found.problems[0]?.message;
    return { stateDir: found.value.stateDir, isShared: found.value.shared !== null };
  };
  const state = { RAMPART_INVENTORY_CACHE: 'state' };

  it('is nowhere if nothing is set', () => {
    expect(place({})).toEqual({ stateDir: null, isShared: false });
  });
  it('is in state_dir, also with a database, unless the environment says otherwise', () => {
    expect(place({ state_dir: folder })).toEqual({ stateDir: folder, isShared: false });
    expect(place({ state_dir: folder }, env)).toEqual({ stateDir: folder, isShared: false });
    expect(place({ state_dir: folder }, { ...env, ...state })).toEqual({ stateDir: folder, isShared: true });
    expect(place({ state_dir: folder }, state)).toEqual({ stateDir: folder, isShared: false });
  });
  it('is in the database if state_dir is not set, unless the environment says otherwise', () => {
    expect(place({}, env)).toEqual({ stateDir: null, isShared: true });
    expect(place({}, { ...env, RAMPART_INVENTORY_CACHE: 'local' })).toEqual({
      stateDir: null,
      isShared: false,
    });
    const emulator = { seed_file: null, state_file: 'fleet.yaml' };
    expect(place({ emulator } as object, env)).toEqual({ stateDir: null, isShared: false });
  });
  it('is refused with any other setting', () => {
    expect(place({}, { RAMPART_INVENTORY_CACHE: 'cloud' })).toBe(
      'RAMPART_INVENTORY_CACHE must be "local" or "state"',
    );
  });
});
