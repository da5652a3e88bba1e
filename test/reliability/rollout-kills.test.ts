import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type GivenAccounts, givenAccounts } from '../given/accounts.ts';
import { workplace } from '../given/command-line.ts';
import { hasPostgres, sharedPostgres } from '../given/postgres.ts';
import { program, programEnvironment } from '../given/program.ts';
import { migratedDatabase, preload } from './shared-state.ts';

const server = sharedPostgres;
const hosts = [1, 2, 3].map((id) => ({ id: String(id), name: `OLD-${id}` }));
const desired = `version: 1\nhosts:\n${hosts.map(({ id }) => `  - { id: ${id}, name: NEW-${id} }`).join('\n')}\n`;
const count = 12;

interface World {
  readonly given: GivenAccounts;
  /** Called at each rename with its number, counted over all accounts. */
  onRename: (renames: number) => void;
  start(argv: readonly string[], elsewhere?: boolean): Promise<Started>;
}

interface Started {
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

/** Accounts with three renames each, and processes in folders of their own that share one database. */
async function world(): Promise<World> {
  let renames = 0;
  const hooks = {
    beforeEach: ({ action }: { readonly action: string | null }) => {
      if (action !== 'renameHost') return;
      renames += 1;
      made.onRename(renames);
    },
  };
  const given = await givenAccounts(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`a${at + 10}`, { groups: [], hosts, hooks }]),
    ),
  );
  const url = await migratedDatabase(server());
  const made: World = {
    given,
    onRename: () => {},
    async start(argv, elsewhere = false) {
      const { folder } = await workplace();
      await writeFile(`${folder}/rampart.config.yaml`, given.config);
      await writeFile(`${folder}/fleet.yaml`, desired);
      const child = spawn(
        process.execPath,
        [...(elsewhere ? [preload('other-machine')] : []), program, ...argv],
        {
          cwd: folder,
          env: {
            ...programEnvironment,
            HOME: folder,
            ...given.env,
            RAMPART_STATE_URL: url,
          },
          stdio: 'pipe',
        },
      );
      onTestFinished(() => {
        child.kill('SIGKILL');
        child.kill('SIGCONT');
      });
      const texts = { out: '', err: '' };
      child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
      const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...texts }));
      return { kill: (signal) => void child.kill(signal), ended };
    },
  };
  return made;
}

/** Hosts that were renamed more than once, over all accounts. */
function repeated({ emulators }: GivenAccounts): readonly string[] {
  return [...emulators].flatMap(([name, { requests }]) => {
    const paths = requests
      .filter(({ action }) => action === 'renameHost')
      .map(({ path }) => `${name} ${path}`);
    return paths.filter((path, at) => paths.indexOf(path) !== at);
  });
}

const applyAll = [
  'apply',
  '--accounts',
  'name != ""',
  '--auto-approve',
  '--parallel',
  '3',
  '--waves',
  '30%,100%',
];

describe.skipIf(!hasPostgres)('a rollout of real processes with their state in PostgreSQL', () => {
  it('continues on another machine after kill -9, and writes nothing twice', {
    timeout: 180_000,
  }, async () => {
    const here = await world();
    const first = await here.start(applyAll);
    here.onRename = (renames) => {
      if (renames === 14) first.kill('SIGKILL');
    };
    expect((await first.ended).code).toBeNull();
    const continued = await (await here.start(['rollout', 'continue', '--json'], true)).ended;
    expect(continued.code, continued.err + continued.out).toBe(0);
    expect(JSON.parse(continued.out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      state: 'completed',
      totals: { done: count },
    });
    expect(repeated(here.given)).toEqual([]);
    expect(here.given.names.map((name) => here.given.writesOf(name))).toEqual(here.given.names.map(() => 3));
  });

  it('is never run by a frozen machine and its successor at the same time', {
    timeout: 180_000,
  }, async () => {
    const here = await world();
    const first = await here.start(applyAll);
    here.onRename = (renames) => {
      if (renames === 10) first.kill('SIGSTOP');
    };
    await expect.poll(() => writes(here.given), { timeout: 60_000 }).toBeGreaterThan(8);
    const second = await here.start(['rollout', 'continue'], true);
    const continued = await second.ended;
    expect(continued.code, continued.err).toBe(0);
    const before = writes(here.given);
    first.kill('SIGCONT');
    const woken = await first.ended;
    expect(woken.code).not.toBe(0);
    expect(writes(here.given)).toBe(before);
    expect(repeated(here.given)).toEqual([]);
    expect(before).toBe(3 * count);
  });
});

function writes({ names, writesOf }: GivenAccounts): number {
  return names.reduce((sum, name) => sum + writesOf(name), 0);
}
