import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli } from '../../bin/cli/build-cli.ts';
import { processesInTurns } from '../measure/whole-process.ts';
import { type Form, filesOf, listOf } from './fleet.ts';
import { startListServer } from './list-server.ts';

export interface WholeRow {
  readonly parseMs: number;
  readonly planMs: number;
  readonly listMb: number;
  readonly parsePeakMb: number;
  readonly planPeakMb: number;
}

/** `rampart plan` from start to end beside a program that only fetches the list and parses it, from the same server. */
export async function timeWhole(form: Form, hosts: number, rounds: number): Promise<WholeRow> {
  const folder = await mkdtemp(join(tmpdir(), 'rampart-bench-'));
  const server = await startListServer(hosts);
  try {
    for (const [file, text] of Object.entries(filesOf(form, hosts)))
      await writeFile(join(folder, file), text);
    const cli = join(folder, 'cli');
    await buildCli(cli);
    const env = { ...server.env, NODE_COMPILE_CACHE: join(folder, 'cache') };
    const common = { file: process.execPath, cwd: folder, env };
    const parse = { ...common, argv: [join(import.meta.dirname, 'parse-list.mjs')] };
    const plan = { ...common, argv: [join(cli, 'main.cjs'), 'plan', '--summary'] };
    await processesInTurns(1, [parse, plan]);
    const [parsed, planned] = await processesInTurns(rounds, [parse, plan]);
    if (parsed === undefined || planned === undefined) throw new Error('nothing was run');
    return {
      parseMs: parsed.ms,
      planMs: planned.ms,
      listMb: listOf(hosts).length / 1024 / 1024,
      parsePeakMb: parsed.peakMb,
      planPeakMb: planned.peakMb,
    };
  } finally {
    server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
