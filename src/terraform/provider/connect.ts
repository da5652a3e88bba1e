import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../core/lib/defined.ts';
import { once } from '../../core/lib/once.ts';
import { createRedaction } from '../../core/lib/redaction.ts';
import { nothingRecalled } from '../../core/model/install-request.ts';
import { failed, ok, problem } from '../../core/problem/problem.ts';
import { fetchedOnce } from '../../input/tables/register-table.ts';
import { registerReader } from '../../service/registers/register-reader.ts';
import { createFleetReader } from '../../service/wire/create-fleet-reader.ts';
import { createFleetWriter } from '../../service/wire/create-fleet-writer.ts';
import { createClaimBoard } from '../fleet/claim-board.ts';
import { createCoordinator } from '../fleet/coordinator.ts';
import { createFleetSession } from '../fleet/fleet-session.ts';
import { createInventoryCollector, type InventoryCollector } from '../fleet/inventory-collector.ts';
import { createKeyedMutex } from '../fleet/keyed-mutex.ts';
import { createPlanPhase } from '../fleet/plan-phase.ts';
import { createPlanRecord } from '../fleet/plan-record.ts';
import { createPlannedNames } from '../fleet/planned-names.ts';
import { accountPlansFolder } from '../fleet/plans-folder.ts';
import { type Diagnostic, hasErrorDiagnostics } from '../protocol/provider/call.ts';
import { knownOrNull } from '../protocol/value/value.ts';
import { createClaims } from './claims.ts';
import type { ProviderConfig } from './connection/configuration.ts';
import { durationMs } from './connection/duration.ts';
import { approvedDeletions, limitsOf } from './connection/limits.ts';
import { openConnection, type ProviderConnection, type Surroundings } from './connection/open-connection.ts';
import { unknownArguments } from './connection/settings.ts';
import { createPlannedDeletions } from './host/planned-deletions.ts';
import { type ProviderService, type Rampart, toDiagnostics } from './service.ts';

interface Connected {
  readonly client?: Rampart;
  readonly diagnostics?: readonly Diagnostic[];
}

/** Reads a provider block. Nothing is sent yet; unknown arguments are reported at the first read. */
export async function connectProvider(
  config: ProviderConfig,
  surroundings: Surroundings,
): Promise<Connected> {
  const unknown = unknownArguments(config);
  if (unknown.length > 0) return { client: { service: failed(...unknown.map(notKnownYet)) } };
  const connection = await openConnection(config, surroundings);
  const diagnostics = toDiagnostics(connection.problems);
  if (!connection.ok || hasErrorDiagnostics(diagnostics)) return { diagnostics };
  return { diagnostics, client: { service: ok(openService(connection.value, config, surroundings)) } };
}

function notKnownYet(argument: string) {
  return problem('configuration', `the provider's argument ${argument} is not known yet`, {
    hint: 'its value is known after the apply. Apply the resource that it depends on first with -target, or set the value with a variable or the environment',
  });
}

/** Everything that the resources of one provider block share. */
function openService(
  { account, client, secrets, state, inventory, interrupt }: ProviderConnection,
  config: ProviderConfig,
  { env, clock, pollMs, settleMs, temporaryFolder = tmpdir() }: Surroundings,
): ProviderService {
  const maxAgeMs = durationMs(knownOrNull(config.max_age));
  const maxWaitMs = durationMs(knownOrNull(config.max_wait));
  const stateDir = knownOrNull(config.state_dir);
  const { hide, redact } = createRedaction();
  hide(secrets);
  const opener = state?.open ?? null;
  const session = createFleetSession({
    account,
    client,
    reader: createFleetReader(client, { clock }),
    writer: createFleetWriter(client),
    clock,
    ...defined({ maxAgeMs, pollMs }),
  });
  const folder = accountPlansFolder(account, { stateDir, temporaryFolder });
  // Terraform sets the cookie for its own child. Otherwise, one process serves many commands.
  const command = env['TF_PLUGIN_MAGIC_COOKIE'] === undefined ? null : `${hostname()} ${process.ppid}`;
  const record = createPlanRecord({ folder, command });
  const board = createClaimBoard({ folder, command });
  const claims = createClaims(board);
  const names = createPlannedNames({ clock, isShared: stateDir !== null });
  const limits = limitsOf(config);
  const passing: string[] = [];
  let collector: InventoryCollector | undefined;
  let isApplying = false;
  return {
    session,
    coordinator: createCoordinator({
      session,
      plannedRename: record.find,
      ...defined({ settleMs, maxWaitMs }),
      ...(opener === null ? {} : { openState: opener, redact }),
    }),
    claims,
    limits,
    deletions: createPlannedDeletions({ clock, limit: limits.delete, approved: approvedDeletions(config) }),
    moves: createKeyedMutex(),
    record,
    phase: createPlanPhase(clock),
    names,
    applying() {
      isApplying = true;
      claims.applying();
      record.applying();
      names.applying();
    },
    vanished: new Set(),
    remembered: {},
    openState: opener,
    recallInstalls: once(async () => {
      if (opener === null) return ok(nothingRecalled);
      const { recallFleet } = await import('../fleet/run-record.ts');
      const recalled = await recallFleet({ openState: opener, account, clock });
      return recalled.ok ? ok(recalled.value.installs) : recalled;
    }),
    redact,
    inventoryPlace: inventory,
    fetchRegister: fetchedOnce(registerReader({ env, folder: process.cwd(), clock, hide })),
    inventory: () =>
      (collector ??= createInventoryCollector({
        session,
        stateDir: inventory.stateDir ?? passingFolder(passing),
        ...(inventory.shared === null ? {} : { shared: inventory.shared }),
      })),
    interrupt,
    async close() {
      record.close();
      board.close(isApplying);
      await client.close();
      for (const folder of passing) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each page of a report can be read only once, so it needs a folder even if nothing is stored. */
function passingFolder(passing: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-inventory-'));
  passing.push(folder);
  return folder;
}
