import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../../../core/lib/clock.ts';
import { problem } from '../../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../../core/problem/result.ts';
import type { Credentials } from '../../../../service/client/credentials.ts';
import type { Exchange } from '../../../../service/contract/message.ts';
import { createEmulator } from '../../../../service/emulator/emulator.ts';
import type { FleetState } from '../../../../service/emulator/fleet-state.ts';
import { generateFleet } from '../../../../service/emulator/generate.ts';
import { printSeed } from '../../../../service/emulator/print-seed.ts';
import { readSeed } from '../../../../service/emulator/seed.ts';

export interface EmulatedService {
  readonly exchange: Exchange;
  readonly credentials: Extract<Credentials, { readonly kind: 'basic' }>;
}

export interface EmulatorFiles {
  readonly seedFile: string | null;
  readonly stateFile: string;
}

const sampleHosts = 40;

/**
 * The service in this process. Its fleet is written to the state file after every change, because Terraform starts
 * several processes.
 */
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
    return failed(problem('file-unreadable', `the emulator's file can't be read: ${path}`));
  }
}
