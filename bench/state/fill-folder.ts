import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Account } from '../../src/core/model/account.ts';
import { runPath } from '../../src/run/state/files/run-files.ts';
import { type Filling, recordsOf } from './filling.ts';

/** So many records go into one write. */
const portion = 10_000;

/** Writes the files that these runs leave in a state folder. */
export function fillFolder(stateDir: string, { runs, ...run }: Filling, account: Account): void {
  mkdirSync(stateDir, { recursive: true });
  for (let ago = 0; ago < runs; ago += 1) {
    let file: number | undefined;
    let lines: string[] = [];
    for (const record of recordsOf(ago, run, account)) {
      if (record.type === 'run') {
        const path = runPath(stateDir, record);
        mkdirSync(dirname(path), { recursive: true });
        file = openSync(path, 'w', 0o600);
      }
      lines.push(`${JSON.stringify(record)}\n`);
      if (file === undefined || lines.length < portion) continue;
      writeSync(file, lines.join(''));
      lines = [];
    }
    if (file === undefined) continue;
    writeSync(file, lines.join(''));
    closeSync(file);
  }
}
