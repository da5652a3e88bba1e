import type { Connection } from '../../accounts/engine/connection.ts';
import { defined } from '../../core/lib/defined.ts';
import { jsonText } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { accountKey } from '../../core/model/account.ts';
import { type InventoryKind, inventoryKinds } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';
import { needsOfDesired } from '../../core/plan/intents/needs.ts';
import { allOf, ok, type Result } from '../../core/problem/problem.ts';
import { type Column, paintTable } from '../../output/review/columns.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../run/apply/exit-code.ts';
import { withLocalCache } from '../../run/state/files/with-local-cache.ts';
import { processHolder } from '../../run/state/lease/process-holder.ts';
import { openSharedCache } from '../../run/state/shared-inventory.ts';
import { chooseFields } from '../../service/inventory/choose-fields.ts';
import { harvestInventory } from '../../service/inventory/harvest.ts';
import type { HarvestEvent, HarvestState } from '../../service/inventory/harvest-event.ts';
import type { KindHarvest } from '../../service/inventory/harvest-kind.ts';
import { findHost } from '../listing/find-host.ts';
import { printResult, textStyle } from '../listing/print-listing.ts';
import { readDesiredState } from '../planning/read-desired-state.ts';
import { withConnection } from '../service/read-fleet.ts';
import { refuseReports } from '../service/refuse-writing.ts';
import { inventoryState } from '../service/shared-inventory.ts';
import { type Context, hearStop } from '../shell/context.ts';

export interface PullFlags {
  readonly hardware?: true;
  readonly system?: true;
  readonly fields?: readonly string[];
  readonly host?: readonly string[];
  /** Only the fields that this desired state reads. */
  readonly file?: readonly string[];
  /** Milliseconds. */
  readonly maxInventoryAge?: number;
  readonly maxReports?: number;
  /** Milliseconds from now. */
  readonly deadline?: number;
}

/** The default maximum age of a host's inventory, in milliseconds. */
export const defaultMaxAgeMs = 7 * 24 * 60 * 60 * 1000;

export async function inventoryPullCommand(context: Context, given: PullFlags): Promise<ExitCode> {
  const { settings } = context;
  const refusal = refuseReports(context);
  if (refusal !== undefined) return context.fail([refusal]);
  const needed = given.file === undefined ? ok([]) : await fieldsOf(given.file, context);
  if (!needed.ok) return context.fail(needed.problems);
  if (given.file !== undefined && needed.value.length === 0 && given.fields === undefined) {
    context.log('The desired state reads no inventory, so nothing is fetched.');
    return exitCodes.success;
  }
  const flags = { ...given, fields: [...(given.fields ?? []), ...needed.value] };
  const stop = hearStop(context, 'the fetched inventory is saved');
  const progress = createInventoryProgress(context);
  const onEvent =
    settings.format === 'ndjson' ? (event: HarvestEvent) => printLine(context, event) : progress.event;
  const pulled = await withConnection(context, (connection) =>
    pull(connection, flags, { context, stop: stop.signal, onEvent }),
  );
  stop.end();
  progress.end();
  if (!pulled.ok) return context.fail(pulled.problems);
  const problems = [...pulled.problems, ...pulled.value.flatMap((each) => each.problems)];
  printSummary(context, pulled.value);
  context.report(problems);
  return exitCodeOf(problems);
}

async function fieldsOf(files: readonly string[], context: Context): Promise<Result<readonly string[]>> {
  const desired = await readDesiredState(files, context);
  if (!desired.ok) return desired;
  const { hardware, system } = needsOfDesired(desired.value);
  return ok([...hardware, ...system], desired.problems);
}

interface PullParts {
  readonly context: Context;
  readonly stop: AbortSignal;
  readonly onEvent: (event: HarvestEvent) => void;
}

async function pull(
  { account, client, reader }: Connection,
  flags: PullFlags,
  { context, stop, onEvent }: PullParts,
): Promise<Result<readonly KindHarvest[]>> {
  const { io, settings, path } = context;
  const deadline = flags.deadline === undefined ? undefined : io.clock.now() + flags.deadline;
  if (flags.deadline !== undefined) context.cutoff.setDeadline(flags.deadline);
  const fields = await chooseFields(client, kindsOf(flags), wordsOf(flags), { signal: stop });
  if (!fields.ok) return fields;
  const names = await reader.readNames({ signal: stop });
  if (!names.ok) return names;
  const hosts = chooseHosts(flags.host, names.value);
  if (!hosts.ok) return hosts;
  const maxAgeMs = flags.maxInventoryAge ?? defaultMaxAgeMs;
  const state = await inventoryState(context);
  if (!state.ok) return state;
  const shared = state.value === undefined ? ok(null) : await openSharedCache(state.value, account);
  if (!shared.ok) return shared;
  // Each page is saved in the local cache first, so that a pull that is killed can be continued on this machine.
  const harvested = await withLocalCache(path(settings.stateDir), accountKey(account), async (cache) => {
    if (shared.value?.known) cache.add(shared.value.known);
    cache.rememberNames(names.value);
    cache.forgetOthers(names.value, io.clock.now() - maxAgeMs);
    const harvests = await harvestInventory({
      client,
      clock: io.clock,
      cache,
      hosts: hosts.value,
      fields: fields.value,
      maxAgeMs,
      stop,
      onEvent,
      holder: processHolder(new Date(io.clock.now()).toISOString()),
      ...defined({ maxWaitMs: settings.maxWaitMs, maxReports: flags.maxReports, deadline }),
    });
    return { harvests, saved: (await shared.value?.save(cache)) ?? ok(null) };
  });
  if (!harvested.ok) return harvested;
  const { harvests, saved } = harvested.value;
  return ok(harvests, [...names.problems, ...shared.problems, ...saved.problems]);
}

function kindsOf({ hardware, system }: PullFlags): readonly InventoryKind[] {
  if (hardware === system) return inventoryKinds;
  return hardware === true ? ['hardware'] : ['system'];
}

function wordsOf({ fields = [] }: PullFlags): readonly string[] {
  return fields
    .flatMap((each) => each.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function chooseHosts(
  words: readonly string[] | undefined,
  names: ReadonlyMap<HostId, string | null>,
): Result<readonly HostId[]> {
  if (words === undefined) return ok([...names.keys()]);
  const hosts = [...names].map(([id, name]) => ({ id, name }));
  const found = allOf(words.map((word) => findHost(word, hosts)));
  return found.ok ? ok([...new Set(found.value.map(({ id }) => id))]) : found;
}

function printLine({ io, print }: Context, event: object): void {
  const at = new Date(io.clock.now()).toISOString();
  print(`${jsonText({ ...event, at })}\n`);
}

function printSummary(context: Context, harvests: readonly KindHarvest[]): void {
  const documents = harvests.map(({ kind, of, fetched, absent, fresh, left, reports, refused }) => ({
    kind,
    asked: of,
    fetched,
    without: absent,
    fresh,
    left,
    reports,
    refused,
  }));
  if (context.settings.format === 'ndjson') printLine(context, { type: 'summary', harvests: documents });
  else printResult(context, documents, () => paintTable(harvests, columns, textStyle(context)));
}

const columns: readonly Column<KindHarvest>[] = [
  { key: 'inventory', kind: 'fixed', value: ({ kind }) => kind },
  { key: 'fetched', kind: 'fixed', value: ({ fetched }) => fetched },
  { key: 'without', kind: 'fixed', value: ({ absent }) => absent },
  { key: 'fresh', kind: 'fixed', value: ({ fresh }) => fresh },
  { key: 'left', kind: 'fixed', value: ({ left }) => left },
  { key: 'reports', kind: 'fixed', value: ({ reports }) => reports },
];

/** The progress of a harvest: one line that is overwritten on a terminal, plain lines elsewhere. */
interface InventoryProgress {
  event(event: HarvestEvent): void;
  end(): void;
}

function createInventoryProgress({ settings, log, live }: Context): InventoryProgress {
  const states = new Map<InventoryKind, HarvestState>();
  const hide = settings.quiet ? () => {} : live.show(() => [...states.values()].map(stateWords).join('; '));
  return {
    event(event) {
      if (settings.quiet) return;
      if ('of' in event) states.set(event.kind, event);
      const line = lineFor(event, states.get(event.kind), live.isLive);
      if (line !== undefined) log(line);
      live.redraw();
    },
    end: hide,
  };
}

/** The line for an event that is important enough. */
function lineFor(event: HarvestEvent, state: HarvestState | undefined, isLive: boolean): string | undefined {
  switch (event.type) {
    case 'started':
      return `${event.kind}: ${count(event.of, 'host')} to fetch${event.fresh === 0 ? '' : `, ${event.fresh} up to date`}`;
    case 'resumed':
      return `${event.kind}: reading the report that an interrupted pull left for ${count(event.hosts, 'host')}`;
    case 'learned':
      return event.hostsPerReport === null
        ? `${event.kind}: one report covers any number of hosts`
        : `${event.kind}: one report covers ${count(event.hostsPerReport, 'host')}`;
    case 'refused':
      return `${event.kind}: the service can't create a report with host ${event.hostId}`;
    case 'waiting':
      if (event.reason === 'other-report') {
        return `${event.kind}: another process is reading a report; next try in ${durationWords(event.ms)}`;
      }
      return isLive || state === undefined ? undefined : stateWords(state);
    case 'ended':
      return isLive ? undefined : stateWords(event);
    case 'report':
    case 'page':
      return undefined;
  }
}

function stateWords({ kind, of, left, absent, etaMs }: HarvestState): string {
  const eta = left === 0 || etaMs === null ? '' : `, about ${durationWords(etaMs)} left`;
  return `${kind}: ${of - left} of ${of}${absent === 0 ? '' : ` (${absent} without inventory)`}${eta}`;
}
