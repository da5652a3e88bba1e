import { type Account, accountKey } from '../../core/model/account.ts';
import type { Desired } from '../../core/model/desired.ts';
import { type FactNeeds, type Facts, noFacts } from '../../core/model/facts.ts';
import { hostsOf, type Observed, observe, unreadableOf } from '../../core/model/observed.ts';
import { needsOfDesired } from '../../core/plan/intents/needs.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { registerRequests } from '../../input/declared-tables.ts';
import { parseSource, readDesired } from '../../input/read-desired.ts';
import type { Source } from '../../input/sources/decode-source.ts';
import type { OpenTable } from '../../input/sources/open-table.ts';
import { type FetchRegister, fetchRegisters, unreadRegisters } from '../../input/tables/register-table.ts';
import type { InventoryFacts } from '../../service/inventory/inventory-facts.ts';
import type { AntivirusList } from '../../service/wire/read-antivirus.ts';
import { factsFrom } from '../../service/wire/read-custom-fields.ts';
import type { Cancellable, FleetSession } from './fleet-session.ts';
import type { LiveFleet } from './live-fleet.ts';
import type { OpenState } from './run-record.ts';

/** Where the inventory of the account is stored. */
export interface FleetInventoryPlace {
  /** The folder of the cache; null: none. */
  readonly stateDir: string | null;
  /** The shared state that has the inventory instead of the folder; null: none. */
  readonly shared: OpenState | null;
}

const noInventoryPlace: FleetInventoryPlace = { stateDir: null, shared: null };

interface FactSources extends Cancellable {
  readonly session: FleetSession;
  readonly place: FleetInventoryPlace;
  /** For example `rules read`. */
  readonly reader: string;
}

/** The facts that expressions read, from lists and stored inventory. */
export async function readFacts(
  needs: FactNeeds,
  fleet: Observed,
  options: FactSources,
): Promise<Result<Facts>> {
  const { session, signal } = options;
  const fields = needs.customFields
    ? await session.customFields(signal === undefined ? {} : { signal })
    : ok(undefined);
  if (!fields.ok) return fields;
  const inventory = await storedInventory(needs, fleet, options);
  if (!inventory.ok) return inventory;
  return ok(factsFrom(fields.value, inventory.value), [...fields.problems, ...inventory.problems]);
}

/**
 * The stored inventory that expressions read; nothing is sent. The database of the cache is loaded only if it is needed.
 * `reader` is the subject of the problem if there is no place for inventory.
 */
async function storedInventory(
  needs: FactNeeds,
  fleet: Observed,
  { session, place, reader }: FactSources,
): Promise<Result<InventoryFacts>> {
  if (needs.hardware.length === 0 && needs.system.length === 0) return ok(noFacts);
  const { account, clock } = session;
  const { stateDir, shared } = place;
  if (stateDir === null && shared === null) {
    return failed(
      problem('inventory-missing', `${reader} inventory, but state_dir is not set`, {
        hint: 'set state_dir in the provider block to the folder of "rampart hosts inventory pull --state-dir", or add a state block',
      }),
    );
  }
  const state = await shared?.();
  if (state?.ok === false) return state;
  const text = await state?.value.inventories.read(accountKey(account));
  if (text?.ok === false) return text;
  const { readInventoryFacts } = await import('../../service/inventory/inventory-facts.ts');
  const hosts = hostsOf(fleet).map(({ id }) => id);
  return readInventoryFacts({
    stateDir: stateDir ?? '',
    ...(text === undefined ? {} : { shared: text.value }),
    account,
    needs,
    hosts,
    now: clock.now(),
  });
}

/** A whole desired state, as text or already read. */
export type FleetText =
  | {
      readonly text: string;
      /** The name of the text in messages and reasons; `fleet.yaml` if absent. */
      readonly file?: string;
      /** Opens a table that `hostsFrom` names; if absent, naming a table is a problem. */
      readonly openTable?: OpenTable;
    }
  | { readonly source: Source }
  | { readonly desired: Desired };

/**
 * `now` is the shared latest observation. `at-first` is the first read of this process, before any call of its own:
 * Terraform plans again during an apply, and must reach the approved plan although other resources have begun.
 * `as-we-left-it` is the first read with only our own calls applied, so that changes by others show as a difference
 * from `now`.
 */
export type FleetMoment = 'now' | 'at-first' | 'as-we-left-it';

export interface InputOptions {
  readonly session: FleetSession;
  /** `now` if absent. */
  readonly view?: FleetMoment;
  /** For rules that read inventory; no place if absent. */
  readonly inventory?: FleetInventoryPlace;
  /** Reads registers over the network; if absent, naming one is a problem. */
  readonly fetchRegister?: FetchRegister;
  /** The state that records runs and locks the account; nothing is stored if absent. */
  readonly openState?: OpenState;
  /** Removes secrets from a text before it is recorded. */
  readonly redact?: (text: string) => string;
  readonly signal?: AbortSignal;
}

/** All inputs of planning. */
export interface FleetInputs {
  readonly desired: Desired;
  readonly observed: Observed;
  readonly facts: Facts;
}

/** The problems within the text; nothing is sent. */
export function readFleetText(source: FleetText, registers = unreadRegisters): Result<Desired> {
  if ('desired' in source) return ok(source.desired);
  if ('source' in source) return readDesired([source.source], { registers });
  const { openTable } = source;
  return readDesired([sourceOf(source)], { registers, ...(openTable === undefined ? {} : { openTable }) });
}

/** The same after the registers that it names were read. */
export async function loadFleetText(
  source: FleetText,
  { fetchRegister }: Pick<InputOptions, 'fetchRegister'>,
): Promise<Result<Desired>> {
  if ('desired' in source) return ok(source.desired);
  const requests = registerRequests([sourceOf(source)], parseSource);
  return readFleetText(source, await fetchRegisters(requests, fetchRegister));
}

function sourceOf(source: Exclude<FleetText, { readonly desired: Desired }>): Source {
  return 'source' in source ? source.source : { file: source.file ?? 'fleet.yaml', text: source.text };
}

/** The latest observation, and the other lists that the desired state needs. */
export async function readFleetInputs(desired: Desired, options: InputOptions): Promise<Result<FleetInputs>> {
  const { session, signal, view = 'now' } = options;
  const cancellable = signal === undefined ? {} : { signal };
  const matches = checkAccount(desired, session.account);
  if (!matches.ok) return matches;
  const needs = needsOfDesired(desired);
  const read = await session.observed(cancellable);
  if (!read.ok) return read;
  const readAntivirus = view === 'at-first' ? session.antivirusAtFirst : session.antivirus;
  const antivirus = needs.antivirus ? await readAntivirus(cancellable) : undefined;
  if (antivirus?.ok === false) return antivirus;
  const fleet = viewed(read.value, session, view);
  const place = options.inventory ?? noInventoryPlace;
  const facts = await readFacts(needs, fleet, { session, place, reader: 'rules read', ...cancellable });
  if (!facts.ok) return facts;
  const observed = antivirus === undefined ? fleet : withAntivirus(fleet, antivirus.value);
  return ok({ desired, observed, facts: facts.value }, [...read.problems, ...facts.problems]);
}

function viewed(fleet: LiveFleet, { observation }: FleetSession, view: FleetMoment): Observed {
  switch (view) {
    case 'now':
      return fleet.frozen();
    case 'at-first':
      return observation.atFirst as Observed;
    case 'as-we-left-it':
      return observation.asWeLeftIt() as Observed;
  }
}

function checkAccount({ companyId: expected }: Desired, { companyId }: Account): Result<null> {
  if (expected === undefined || expected.value === companyId) return ok(null);
  const whose = companyId === null ? 'do not contain a company ID' : `are for account ${companyId}`;
  return failed(
    problem('account-mismatch', `the fleet is for account ${expected.value}, and the credentials ${whose}`, {
      place: expected.place,
      hint: 'give the provider the company_id and the credentials of that company, or correct the text',
    }),
  );
}

function withAntivirus(fleet: Observed, { read, facts, unreadable }: AntivirusList): Observed {
  return observe({
    takenAt: fleet.takenAt,
    lists: [...fleet.lists, read],
    groups: fleet.groups,
    ...unreadableOf({ ...fleet, unreadableAntivirus: unreadable }),
    hosts: hostsOf(fleet).map((host) => {
      const antivirus = facts.get(host.id);
      return antivirus === undefined ? host : { ...host, antivirus };
    }),
  });
}
