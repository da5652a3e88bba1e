import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type GivenAccounts, givenAccounts } from '../given/accounts.ts';
import { type FollowedProcess, followProcess } from '../given/follow-process.ts';
import { givenFolder } from '../given/given-folder.ts';
import type { PostgresDatabases } from '../given/postgres.ts';
import { programEnvironment, programFor } from '../given/program.ts';
import { readWrite } from './call-log.ts';
import { migratedDatabase, preload } from './shared-state.ts';

/** Servers and other commands as real processes, each in a separate folder, on one database and one emulated service. */
export interface ServerWorld {
  readonly given: GivenAccounts;
  readonly url: string;
  /** Called at each rename, before it is carried out, with its number over all accounts. */
  onRename: (renames: number) => void;
  /** Without a preload, the process believes that it runs on another machine. */
  start(argv: readonly string[], preloaded?: string): Promise<FollowedProcess>;
  /** How many accounts the last check has found as desired. */
  converged(): number;
  counts(): WorldCounts;
}

/** What must be 0, and the number of writes. */
export interface WorldCounts {
  readonly writes: number;
  /** Hosts that got the same name more than once. */
  readonly repeated: number;
  /** Writes that no run has recorded before, or that no desired state requests. */
  readonly outside: number;
  /** Pairs of runs of one account where the earlier one continued after the later one began. */
  readonly overlapping: number;
}

export async function serverWorld(
  postgres: PostgresDatabases,
  size: { readonly accounts: number; readonly hosts: number },
): Promise<ServerWorld> {
  let renames = 0;
  const hooks = {
    beforeEach: ({ action }: { readonly action: string | null }) => {
      if (action !== 'renameHost') return;
      renames += 1;
      world.onRename(renames);
    },
  };
  const names = Array.from({ length: size.accounts }, (_, at) => `account-${at + 100}`);
  // Ids differ between accounts, so that each write is known by its host.
  const hostsOf = (at: number) =>
    Array.from({ length: size.hosts }, (_, host) => String((at + 1) * 1_000 + host));
  const given = await givenAccounts(
    Object.fromEntries(
      names.map((name, at) => [
        name,
        { groups: [], hosts: hostsOf(at).map((id) => ({ id, name: `OLD-${id}` })), hooks },
      ]),
    ),
  );
  const url = await migratedDatabase(postgres);
  const desired = 'version: 1\nrules:\n  - name: all\n    when: "true"\n    rename: "NEW-${host.id}"\n';
  const world: ServerWorld = {
    given,
    url,
    onRename: () => {},
    async start(argv, preloaded = 'other-machine') {
      const folder = givenFolder();
      await writeFile(join(folder, 'rampart.config.yaml'), `${given.config}server:\n  cadence: 1m\n`);
      await writeFile(join(folder, 'fleet.yaml'), desired);
      const child = spawn(process.execPath, [preload(preloaded), programFor(preloaded), ...argv], {
        cwd: folder,
        env: {
          ...programEnvironment,
          HOME: folder,
          ...given.env,
          RAMPART_STATE_URL: url,
        },
        stdio: 'pipe',
      });
      onTestFinished(async () => {
        child.kill('SIGKILL');
        child.kill('SIGCONT');
        await rm(folder, { recursive: true, force: true });
      });
      const followed = followProcess(child);
      if (argv[0] === 'server') await followed.says('Rampart');
      return followed;
    },
    converged: () =>
      Number(postgres.run(url, `select count(*) from rampart_server.account where health = 'converged'`)),
    counts() {
      const writes = [...given.emulators.values()].flatMap(({ requests }) =>
        requests.flatMap((request) => readWrite(request) ?? []),
      );
      const keys = writes.map(({ hosts }) => hosts.join());
      const begun = new Set(
        postgres
          .run(
            url,
            `select c ->> 'host_id' from rampart.record, jsonb_array_elements(body -> 'changes') c where type = 'begin'`,
          )
          .split('\n'),
      );
      const wrong = [...given.emulators.values()].flatMap(({ state }) =>
        state().hosts.filter(({ id, name }) => name !== `OLD-${id}` && name !== `NEW-${id}`),
      );
      return {
        writes: writes.length,
        repeated: keys.length - new Set(keys).size,
        outside: wrong.length + writes.filter(({ hosts }) => hosts.some((host) => !begun.has(host))).length,
        overlapping: Number(postgres.run(url, overlapping)),
      };
    },
  };
  return world;
}

const overlapping = `
  select count(*) from rampart.run earlier join rampart.run later
    on later.account = earlier.account
      and (later.head ->> 'epoch')::integer > (earlier.head ->> 'epoch')::integer
  where exists (select from rampart.record
    where run_id = earlier.run_id and type = 'begin' and body ->> 'at' > later.head ->> 'at')`;

/** The accounts whose lock a process holds. */
export function heldBy(postgres: PostgresDatabases, url: string, pid: number): readonly string[] {
  return postgres
    .run(
      url,
      `select account from rampart.lease where (holder ->> 'pid')::integer = ${pid} and until > clock_timestamp()`,
    )
    .split('\n')
    .filter((line) => line !== '');
}

/** The longest time until another process held the lock of one of these accounts, in seconds. */
export function takeover(
  postgres: PostgresDatabases,
  url: string,
  accounts: readonly string[],
  since: number,
): number {
  const at = new Date(since).toISOString();
  const rows = postgres.run(
    url,
    `select extract(epoch from min(started_at) - '${at}'::timestamptz) from rampart.run
     where account in (${accounts.map((each) => `'${each}'`).join()}) and started_at > '${at}' group by account`,
  );
  const seconds = rows.split('\n').filter((line) => line !== '');
  return seconds.length < accounts.length ? Number.POSITIVE_INFINITY : Math.max(...seconds.map(Number));
}
