import { openFilesState } from '../../src/run/state/files/files-state.ts';
import { connectDatabase } from '../../src/run/state/postgres/connect.ts';
import { migrate } from '../../src/run/state/postgres/migrations.ts';
import { changesFleet } from '../../src/service/emulator/emulated-action.ts';
import type { FollowedProcess } from '../given/follow-process.ts';
import type { PostgresDatabases } from '../given/postgres.ts';
import { readWrite } from './call-log.ts';
import type { RealService } from './real-service.ts';

export const apply = ['apply', '-f', 'fleet.yaml', '--auto-approve'];

/** The address of a new database with the tables of Rampart. */
export async function migratedDatabase(server: PostgresDatabases): Promise<string> {
  const url = server.createDatabase();
  const database = connectDatabase(url);
  await migrate(database.db);
  await database.close();
  return url;
}

export function preload(name: string): string {
  return `--import=${new URL(`preload/${name}.ts`, import.meta.url).href}`;
}

export function writesOf({ emulator }: RealService): number {
  return emulator.requests.filter(({ action }) => action !== null && changesFleet(action)).length;
}

/** Resolves once the service has accepted this many writes. */
export function afterWrites(service: RealService, count: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0;
    service.watch(({ action }) => {
      if (action === null || !changesFleet(action)) return;
      seen += 1;
      if (seen === count) resolve();
    });
  });
}

interface Change {
  readonly host_id: string;
}

export type Begun = readonly Change[];

/** Hosts that were named in a write although no run has recorded a step for them. */
export function unrecorded(service: RealService, changes: Begun): readonly string[] {
  const recorded = new Set(changes.map(({ host_id }) => host_id));
  return service.emulator.requests
    .flatMap((request) => readWrite(request)?.hosts ?? [])
    .filter((host) => !recorded.has(host));
}

/** The changes in every `begin` of a database. */
export function begunIn(server: PostgresDatabases, url: string): Begun {
  const text = server.run(
    url,
    `select coalesce(json_agg(c), '[]') from rampart.record, jsonb_array_elements(body -> 'changes') c where type = 'begin'`,
  );
  return JSON.parse(text) as Begun;
}

/** The same of the runs in a folder. */
export async function begunInFiles(stateDir: string): Promise<Begun> {
  const state = openFilesState(stateDir);
  const runs = await state.listRuns({});
  if (!runs.ok) throw new Error("the runs can't be listed");
  const read = await Promise.all(runs.value.map(({ head }) => state.readRun(head.run_id)));
  return read.flatMap((run) =>
    run.ok ? run.value.records.flatMap((record) => (record.type === 'begin' ? record.changes : [])) : [],
  );
}

export async function outcomeOf(run: FollowedProcess): Promise<string> {
  const { code, out, err } = await run.ended;
  return code === 0 ? '0' : `${code}\n${out}${err}`;
}
