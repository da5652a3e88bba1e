import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { Credentials } from '../../../service/client/credentials.ts';
import { type Exchange, TransportError } from '../../../service/contract/message.ts';
import { createEmulator } from '../../../service/emulator/emulator.ts';
import type { FleetState } from '../../../service/emulator/fleet-state.ts';
import { generateFleet } from '../../../service/emulator/generate.ts';
import { printSeed } from '../../../service/emulator/print-seed.ts';
import { readSeed } from '../../../service/emulator/seed.ts';
import { summarizeProblems } from '../summarize-problems.ts';
import { inArgument, type ResultOfBlock } from './block-problem.ts';

export interface EmbeddedService {
  readonly exchange: Exchange;
  readonly credentials: Extract<Credentials, { readonly kind: 'basic' }>;
}

export interface EmulatorFiles {
  readonly seedFile: string | null;
  readonly stateFile: string;
}

const sampleHosts = 40;
const writableHint = 'set state_file to a file in a folder that exists and that you can write to';

/**
 * The service in this process. Its fleet is written to the state file after every change, because Terraform starts
 * several processes.
 */
export function openEmbeddedService(files: EmulatorFiles, clock: Clock): ResultOfBlock<EmbeddedService> {
  const unwritable = faultOf(files.stateFile);
  if (unwritable !== undefined) return inArgument(['emulator', 'state_file'], failed(unwritable));
  const opening = openingFleet(files);
  if (!opening.ok) return opening;
  const emulator = createEmulator({ state: opening.value, clock, recordRequests: false });
  const { companyId, psk } = emulator.credentials;
  let notKept: TransportError | undefined;
  const keep = () => {
    try {
      const unfinished = `${files.stateFile}.new`;
      writeFileSync(unfinished, printSeed(emulator.state()));
      renameSync(unfinished, files.stateFile);
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      notKept = new TransportError(`the emulator can't write ${files.stateFile} (${code})`, 'reply-lost', {
        permanent: true,
        hint: writableHint,
      });
    }
  };
  return ok({
    credentials: { kind: 'basic', companyId, psk },
    exchange: async (request, options) => {
      const answer = await emulator.exchange(request, options);
      if (request.method !== 'GET') keep();
      // Nothing may show a change that the next process does not find.
      if (notKept !== undefined) throw notKept;
      return answer;
    },
  });
}

function openingFleet({ seedFile, stateFile }: EmulatorFiles): ResultOfBlock<FleetState> {
  const isStored = existsSync(stateFile);
  const path = isStored ? stateFile : seedFile;
  if (path === null) return ok(generateFleet({ hosts: sampleHosts }));
  return inArgument(['emulator', isStored ? 'state_file' : 'seed_file'], readFleet(path));
}

function readFleet(path: string): Result<FleetState> {
  try {
    const seed = readSeed(readFileSync(path, 'utf8'), path);
    return { ...seed, problems: summarizeProblems(seed.problems, 'Correct these first.') };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return failed(
      problem('file-unreadable', `the emulator's file ${path} can't be read (${code})`, {
        hint: 'correct the path. A relative path begins in the folder that terraform runs in',
      }),
    );
  }
}

function faultOf(stateFile: string): Problem | undefined {
  try {
    accessSync(existsSync(stateFile) ? stateFile : dirname(stateFile), constants.W_OK);
    return undefined;
  } catch {
    return problem('file-not-written', `the emulator can't write its state_file ${stateFile}`, {
      hint: writableHint,
    });
  }
}
