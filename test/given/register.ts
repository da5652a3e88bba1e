import type { Desired } from '../../src/core/model/desired.ts';
import { type Facts, noFacts } from '../../src/core/model/facts.ts';
import { makePlan } from '../../src/core/plan/make-plan.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import type { PlanInputs } from '../../src/core/plan/types/plan-inputs.ts';
import { failed, ok, problem, type Result } from '../../src/core/problem/problem.ts';
import { readDesired } from '../../src/input/read-desired.ts';
import { at, givenFleet } from './fleet.ts';

/** A host with a serial number, as inventory reports it. */
export interface MachineGiven {
  readonly id: number | string;
  readonly name?: string | null;
  readonly serial?: string;
  readonly groupId?: number;
  readonly online?: boolean;
  readonly stateChangedAt?: string;
  /** When its inventory was read; now if absent. */
  readonly readAt?: string;
}

/** Reads a desired state whose tables are texts by their names. */
export function readFleet(yaml: string, files: Readonly<Record<string, string>> = {}): Result<Desired> {
  return readDesired([{ file: 'fleet.yaml', text: `version: 1\n${yaml}` }], {
    openTable: (path) => {
      const text = files[path];
      return text === undefined
        ? failed(problem('file-missing', `${path} does not exist`))
        : ok({ file: path, text, changedAt: at });
    },
  });
}

function fleetOf(machines: readonly MachineGiven[]): Pick<PlanInputs, 'observed' | 'facts'> {
  const serials = new Map(machines.map(({ id, serial }) => [String(id), serial]));
  const facts: Facts = {
    ...noFacts,
    inventoryOf: (kind, id) => {
      const serial = serials.get(id);
      return kind === 'system' || serial === undefined ? undefined : { serviceTag: serial };
    },
    inventoryAt: (_, id) => machines.find((each) => String(each.id) === id)?.readAt ?? at,
  };
  const hosts = machines.map(({ name = null, groupId = -1, ...host }) => ({ ...host, name, group: groupId }));
  return { observed: givenFleet(hosts, { 17: 'Berlin', 18: 'Wien', 19: 'Quarantine' }), facts };
}

/** The inputs of a plan of a desired state, which must be readable. */
export function inputsFor(
  yaml: string,
  files: Readonly<Record<string, string>>,
  machines: readonly MachineGiven[],
  more: Partial<PlanInputs> = {},
): PlanInputs {
  const desired = readFleet(yaml, files);
  if (!desired.ok) throw new Error(desired.problems.map(({ message }) => message).join('\n'));
  return {
    desired: desired.value,
    ...fleetOf(machines),
    account: { companyId: '1', service: 'emulator' },
    now: at,
    ...more,
  };
}

export function planFor(...given: Parameters<typeof inputsFor>): Plan {
  return makePlan(inputsFor(...given));
}
