import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPublished } from '../measure/published.ts';
import type { Command } from '../measure/whole-process.ts';
import type { Address } from './service-job.ts';

export interface Tool {
  readonly name: string;
  /** Its command for a service, in a folder with the table of hosts. */
  readonly command: (address: Address, cwd: string) => Command;
}

const script = join(import.meta.dirname, 'naive-script.mjs');

/** The tools that change a service, Rampart first, built into this folder. */
export async function toolsIn(folder: string): Promise<readonly [Tool, Tool]> {
  const program = await buildPublished(join(folder, 'published'));
  return [
    {
      name: 'rampart apply',
      command: ({ url, companyId, psk }, cwd) => ({
        file: process.execPath,
        argv: [program, 'apply', '-f', 'fleet.yaml', '--auto-approve'],
        cwd,
        env: { RAMPART_BASE_URL: url, RAMPART_COMPANY_ID: companyId, RAMPART_PSK: psk },
        mayFail: true,
      }),
    },
    {
      name: 'script',
      command: ({ url, companyId, psk }, cwd) => ({
        file: process.execPath,
        argv: [script],
        cwd,
        env: { SERVICE_URL: url, COMPANY_ID: companyId, PSK: psk },
        mayFail: true,
      }),
    },
  ];
}

/** A separate folder with what both tools read. */
export function roomWith(folder: string, table: string): string {
  mkdirSync(folder, { recursive: true });
  const room = mkdtempSync(join(folder, 'room-'));
  writeFileSync(join(room, 'hosts.csv'), table);
  writeFileSync(join(room, 'fleet.yaml'), 'version: 1\nhostsFrom: hosts.csv\n');
  return room;
}
