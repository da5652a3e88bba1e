import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/lib/surroundings.ts';
import type { Account } from '../../core/model/account.ts';
import { type GroupId, type HostId, type Observed, observe } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { createEmulatedAccounts } from '../../service/emulator/accounts.ts';
import type { EmulatorCredentials } from '../../service/emulator/credentials.ts';
import { type Servable, type Served, serve } from '../../service/emulator/serve.ts';
import { type EmulatedFleet, emulatedFleets } from './emulated-fleets.ts';
import { writeEmulatedProject } from './emulated-project.ts';

export interface LeftFleet {
  readonly account: Account;
  readonly observed: Observed;
}

export interface EmulatedAccountsService {
  readonly url: string;
  /** The accounts that are paused in the example. */
  readonly paused: readonly string[];
  /** The fleets as the last runs left them, so that drift shows who changed what. */
  readonly left: readonly LeftFleet[];
  close(): Promise<void>;
}

/** Serves the emulated accounts on this machine, and writes their project to a folder. */
export async function openEmulatedAccounts(
  folder: string,
  clock: Clock,
): Promise<Result<EmulatedAccountsService>> {
  const fleets = emulatedFleets(clock.now());
  const emulated = createEmulatedAccounts(
    fleets.map(({ state, service }) => ({ ...service, clock, recordRequests: false, state })),
  );
  if (!emulated.ok) return emulated;
  const { credentials } = emulated.value;
  writeEmulatedProject(
    folder,
    fleets.map((fleet, at) => ({ ...fleet, credentials: credentials[at] as EmulatorCredentials })),
  );
  const served = await serveAgain(emulated.value, join(folder, 'service-port'));
  return ok({
    url: served.url,
    paused: fleets.flatMap(({ name, story }) => (story === 'paused' ? [name] : [])),
    left: fleets.map((fleet) => ({
      account: { companyId: fleet.state.companyId, service: served.url },
      observed: leftFleet(fleet, clock.now()),
    })),
    close: () => served.close(),
  });
}

/**
 * At the port of the last start, which is in a file: accounts at another address would belong to another tenant, and
 * nobody could undo their runs. At a free port if a program has taken it.
 */
async function serveAgain(service: Servable, file: string): Promise<Served> {
  const [known] = existsSync(file) ? (/^\d{1,5}$/.exec(readFileSync(file, 'utf8').trim()) ?? []) : [];
  const port = Number(known ?? 0);
  const served = await serve(service, { port: port > 65_535 ? 0 : port }).catch((error: unknown) => {
    if (port === 0) throw error;
    return serve(service);
  });
  if (served.port !== port) writeFileSync(file, `${served.port}\n`, { mode: 0o600 });
  return served;
}

/** A day ago, before people changed the fleet. */
function leftFleet({ before, state }: EmulatedFleet, now: number): Observed {
  const takenAt = new Date(now - 86_400_000).toISOString();
  return observe({
    takenAt,
    lists: [{ list: 'hosts-with-groups', at: takenAt }],
    groups: state.groups.map(({ id, name }) => ({ id: id as GroupId, name })),
    hosts: before.map(({ id, name, groupId, online, stateChangedAt }) => ({
      id: id as HostId,
      name,
      groupId: groupId as GroupId,
      online,
      stateChangedAt,
    })),
    unreadable: [],
  });
}
