import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { FleetState } from '../../service/emulator/fleet-state.ts';
import { generateAccounts } from '../../service/emulator/generate.ts';
import { readSeed } from '../../service/emulator/seed.ts';
import { type Context, readTextFile } from '../shell/context.ts';

/** The default number of hosts of an account without a seed. */
export const sampleHosts = 40;

export interface AccountSource {
  /** A seed file, or a folder with a seed for each account. */
  readonly seed?: string | undefined;
  readonly hosts?: number | undefined;
  readonly accounts?: number | undefined;
  readonly largeIds?: true | undefined;
}

/** An account to serve. Its name is that of its seed file, or `account-1`. */
export interface OpeningAccount {
  readonly name: string;
  readonly state: FleetState;
  readonly hosts: number;
  /** Hosts whose ids JavaScript programs round. */
  readonly rounded: number;
}

/** The accounts to serve: from a seed, from a folder of seeds, or generated. */
export async function openingAccounts(
  context: Context,
  { seed, hosts = sampleHosts, accounts = 1, largeIds }: AccountSource,
): Promise<Result<readonly OpeningAccount[]>> {
  if (seed === undefined) {
    const states = generateAccounts({ accounts, hosts, largeIds: largeIds === true });
    // The hosts of a generated account are not created before somebody requests them, not even to count them.
    const rounded = (index: number) => (largeIds === true ? Math.floor((index * hosts) / 10) : 0);
    return ok(
      states.map((state, index) => ({
        name: `account-${index + 1}`,
        state,
        hosts,
        rounded: rounded(index + 1) - rounded(index),
      })),
    );
  }
  const isFolder = (await stat(context.path(seed)).catch(() => null))?.isDirectory() === true;
  if (isFolder) return readSeedFolder(context, seed);
  const fleet = await readSeedFile(context, seed);
  return fleet.ok ? ok([seeded('account-1', fleet.value)]) : fleet;
}

function seeded(name: string, state: FleetState): OpeningAccount {
  const rounded = state.hosts.filter(({ id }) => !Number.isSafeInteger(Number(id))).length;
  return { name, state, hosts: state.hosts.length, rounded };
}

async function readSeedFolder(context: Context, folder: string): Promise<Result<readonly OpeningAccount[]>> {
  const names = (await readdir(context.path(folder))).filter((name) => /\.ya?ml$/.test(name)).toSorted();
  if (names.length === 0) {
    return failed(problem('file-missing', `there is no seed in the folder ${folder}: no .yaml or .yml file`));
  }
  const problems: Problem[] = [];
  const fleets: OpeningAccount[] = [];
  const fileOf = new Map<string, string>();
  for (const name of names) {
    const file = join(folder, name);
    const fleet = await readSeedFile(context, file);
    if (!fleet.ok) {
      problems.push(...fleet.problems);
      continue;
    }
    const { companyId } = fleet.value;
    const earlier = fileOf.get(companyId);
    if (earlier === undefined) fileOf.set(companyId, file);
    else problems.push(sharedCompany(companyId, earlier, file));
    fleets.push(seeded(name.replace(/\.ya?ml$/, ''), fleet.value));
  }
  return problems.length > 0 ? failed(...problems) : ok(fleets);
}

function sharedCompany(companyId: string, earlier: string, file: string): Problem {
  return problem('seed-invalid', `${file} has the same company ID ${companyId} as ${earlier}`, {
    hint: 'give each seed in the folder a unique companyId',
  });
}

export async function readSeedFile(context: Context, file: string): Promise<Result<FleetState>> {
  const text = await readTextFile(context.path(file), file);
  return text.ok ? readSeed(text.value, file, context.io.clock.now()) : text;
}
