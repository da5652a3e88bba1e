import type { Clock } from '../../src/core/lib/surroundings.ts';
import type { InstallRecall } from '../../src/core/model/install-request.ts';
import { hostsOf, type Observed } from '../../src/core/model/observed.ts';
import { isEmpty, type Plan } from '../../src/core/plan/types/plan.ts';
import type { RunSummary } from '../../src/core/plan/types/run-summary.ts';
import type { Problem } from '../../src/core/problem/problem.ts';
import { applyPlan } from '../../src/run/apply/apply-plan.ts';
import { type ExitCode, exitCodeOf, exitForNothingToDo, exitForRun } from '../../src/run/apply/exit-code.ts';
import type { Journal } from '../../src/run/state/journal/journal.ts';
import { createAdaptivePacer } from '../../src/service/client/adaptive-pacer.ts';
import { createClient } from '../../src/service/client/create-client.ts';
import type { Exchange } from '../../src/service/contract/message.ts';
import { createFleetReader } from '../../src/service/wire/create-fleet-reader.ts';
import { createFleetWriter } from '../../src/service/wire/create-fleet-writer.ts';
import type { FleetReader } from '../../src/service/wire/fleet.ts';
import type { View } from './call-log.ts';
import { type Death, mortalProcess } from './mortal-process.ts';

export interface RunOptions {
  readonly death?: Death;
  /** Applies this plan instead of making one. */
  readonly saved?: Plan;
  readonly stop?: AbortSignal;
}

/** How one run of the tool ended; the problems are all that it reported, including those of single hosts. */
export type Ended =
  | { readonly kind: 'dead' }
  | {
      readonly kind: 'ended';
      readonly exit: ExitCode;
      readonly problems: readonly Problem[];
      readonly plan: Plan | null;
      readonly account: RunSummary | null;
    };

/** Where runs keep their journals, in memory or in a database. */
export interface RunShelf {
  open(plan: Plan, isAlive: () => boolean): Journal | Promise<Journal>;
  recall(): InstallRecall | Promise<InstallRecall>;
}

/** What a run finds in its surroundings. */
export interface Surroundings {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly companyId: string;
  readonly psk: string;
  readonly shelf: RunShelf;
  readonly readsAntivirus: boolean;
  planOn(observed: Observed, installs: InstallRecall): Plan;
  /** Told of every read that reaches the run. */
  onView(view: View): void;
  onPlan(plan: Plan): void;
}

/** One run as the command line makes it, from the first read to the exit code, in a process that may die. */
export function runOnce(around: Surroundings, options: RunOptions): Promise<Ended> {
  const process = mortalProcess(around.exchange, options.death);
  const ended = carryOut(around, process.exchange, process.isAlive, options);
  return Promise.race([ended, process.died.then((): Ended => ({ kind: 'dead' }))]);
}

async function carryOut(
  around: Surroundings,
  exchange: Exchange,
  isAlive: () => boolean,
  { saved, stop = new AbortController().signal }: RunOptions,
): Promise<Ended> {
  const { clock, companyId, psk, shelf } = around;
  const client = createClient({
    exchange,
    credentials: { kind: 'basic', companyId, psk },
    clock,
    pacers: () => createAdaptivePacer({ clock }),
    random: () => 0.5,
  });
  const reader = watched(createFleetReader(client, { clock }), around.onView);
  const remembered = await shelf.recall();

  const observed = saved === undefined ? await reader.read({ antivirus: around.readsAntivirus }) : undefined;
  if (observed?.ok === false) return ended(exitCodeOf(observed.problems), observed.problems);
  const plan = saved ?? around.planOn((observed as { readonly value: Observed }).value, remembered);
  around.onPlan(plan);
  if (!plan.applicable || isEmpty(plan)) return ended(exitForNothingToDo(plan), plan.problems, plan);

  const journal = await shelf.open(plan, isAlive);
  const account = await applyPlan({
    plan,
    ...(observed === undefined
      ? { installs: remembered }
      : {
          observed: observed.value,
          replan: (again: Observed) => around.planOn(again, remembered),
          installs: remembered,
        }),
    reader,
    writer: createFleetWriter(client),
    journal,
    clock,
    stop,
    onEvent: () => {},
  });
  const exit = exitForRun(account, plan);
  await journal.end(exit);
  return ended(exit, [...plan.problems, ...problemsOf(account)], plan, account);
}

function ended(
  exit: ExitCode,
  problems: readonly Problem[],
  plan: Plan | null = null,
  account: RunSummary | null = null,
): Ended {
  return { kind: 'ended', exit, problems, plan, account };
}

function problemsOf(account: RunSummary): readonly Problem[] {
  return [
    ...account.problems,
    ...account.steps.flatMap((step) => [
      ...(step.problem === undefined ? [] : [step.problem]),
      ...step.failedHosts.map((each) => each.problem),
    ]),
  ];
}

/** The same reader, which reports the result of each read when it reaches the run. */
function watched(reader: FleetReader, onView: (view: View) => void): FleetReader {
  return {
    async read(options) {
      const read = await reader.read(options);
      if (read.ok) onView(new Map(hostsOf(read.value).map((host) => [host.id, host])));
      return read;
    },
    async readNames(options) {
      const read = await reader.readNames(options);
      if (read.ok) onView(new Map([...read.value].map(([id, name]) => [id, { name }])));
      return read;
    },
  };
}
