import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Credentials } from '../../../client/credentials.ts';
import type { Exchange } from '../../../contract/message.ts';
import { createEmulator } from '../../../emulator/emulator.ts';
import type { FleetState } from '../../../emulator/fleet-state.ts';
import { generateFleet } from '../../../emulator/generate.ts';
import { printSeed } from '../../../emulator/print-seed.ts';
import { readSeed } from '../../../emulator/seed.ts';
import type { Clock } from '../../../lib/clock.ts';
import { problem } from '../../../problem/problem.ts';
import { failed, ok, type Result } from '../../../problem/result.ts';

export interface EmulatedService {
  readonly exchange: Exchange;
  readonly credentials: Extract<Credentials, { readonly kind: 'basic' }>;
}

export interface EmulatorFiles {
  readonly seedFile: string | null;
  readonly stateFile: string;
}

const sampleHosts = 40;

/** The service in this process. Its fleet is written to the state file after every change, as processes come and go. */
export function openEmulatedService(files: EmulatorFiles, clock: Clock): Result<EmulatedService> {
  const opening = openingFleet(files);
  if (!opening.ok) return opening;
  const emulator = createEmulator({ state: opening.value, clock, recordRequests: false });
  const { companyId, psk } = emulator.credentials;
  const keep = () => {
    const unfinished = `${files.stateFile}.new`;
    writeFileSync(unfinished, printSeed(emulator.state()));
    renameSync(unfinished, files.stateFile);
  };
  return ok({
    credentials: { kind: 'basic', companyId, psk },
    exchange: async (request, options) => {
      const answer = await emulator.exchange(request, options);
      if (request.method !== 'GET') keep();
      return answer;
    },
  });
}

function openingFleet({ seedFile, stateFile }: EmulatorFiles): Result<FleetState> {
  const path = existsSync(stateFile) ? stateFile : seedFile;
  if (path === null) return ok(generateFleet({ hosts: sampleHosts }));
  try {
    return readSeed(readFileSync(path, 'utf8'), path);
  } catch {
    return failed(problem('file-unreadable', `the emulator’s file can’t be read: ${path}`));
  }
}
