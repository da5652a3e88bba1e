import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli } from '../../bin/cli/build-cli.ts';
import { type Command, processesInTurns } from '../measure/whole-process.ts';
import { type Form, filesOf, listOf } from './fleet.ts';
import { startListServer } from './list-server.ts';

export interface WholeRow {
  readonly parseMs: number;
  readonly planMs: number;
  readonly listMb: number;
  readonly parsePeakMb: number;
  readonly planPeakMb: number;
}

/** Files by their names. */
type Files = Readonly<Record<string, string>>;

/** A folder with files, from which the command line reads the list of a server. */
export interface PlanFolder {
  readonly path: string;
  /** The address of the server. */
  readonly service: string;
  readonly common: Pick<Command, 'file' | 'cwd' | 'env'>;
  /** `rampart plan` of a file. */
  plan(file: string): Command;
}

/** `rampart plan` from start to end beside a program that only fetches the list and parses it, from the same server. */
export async function timeWhole(form: Form, hosts: number, rounds: number): Promise<WholeRow> {
  return await inPlanFolder(hosts, filesOf(form, hosts), async ({ common, plan }) => {
    const parse = { ...common, argv: [join(import.meta.dirname, 'parse-list.mjs')] };
    const [file = ''] = Object.keys(filesOf(form, 1));
    const [parsed, planned] = await afterOneRound(rounds, [parse, plan(file)]);
    if (parsed === undefined || planned === undefined) throw new Error('nothing was run');
    return {
      parseMs: parsed.ms,
      planMs: planned.ms,
      listMb: listOf(hosts).length / 1024 / 1024,
      parsePeakMb: parsed.peakMb,
      planPeakMb: planned.peakMb,
    };
  });
}

/** The first round only fills the cache of compiled code. */
export async function afterOneRound(rounds: number, commands: readonly Command[]) {
  await processesInTurns(1, commands);
  return await processesInTurns(rounds, commands);
}

export async function inPlanFolder<T>(
  hosts: number,
  files: Files,
  work: (folder: PlanFolder) => Promise<T>,
): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'rampart-bench-'));
  const server = await startListServer(hosts);
  try {
    for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
    const cli = join(path, 'cli');
    await buildCli(cli);
    const env = { ...server.env, NODE_COMPILE_CACHE: join(path, 'cache') };
    const common = { file: process.execPath, cwd: path, env };
    const plan = (file: string) => ({
      ...common,
      argv: [join(cli, 'main.cjs'), 'plan', '-f', file, '--summary'],
    });
    return await work({ path, service: server.env['RAMPART_BASE_URL'] ?? '', common, plan });
  } finally {
    server.stop();
    await rm(path, { recursive: true, force: true });
  }
}
