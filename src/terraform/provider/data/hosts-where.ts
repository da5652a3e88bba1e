import type { Condition } from '../../../core/model/expression.ts';
import { type FactNeeds, type Facts, noFacts } from '../../../core/model/facts.ts';
import {
  type AntivirusFact,
  type HostId,
  hostsOf,
  type Observed,
  type ObservedHost,
} from '../../../core/model/observed.ts';
import { subjectOf } from '../../../core/plan/intents/subject.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { categoryNames } from '../../../service/wire/custom-fields.ts';
import { storedInventory } from '../../fleet/fleet-inputs.ts';
import type { ProviderService } from '../service.ts';
import { conditionArgument } from './condition.ts';

interface Chosen {
  readonly observed: Observed;
  readonly hosts: readonly ObservedHost[];
}

/** All hosts, or those that an expression selects. */
export async function readHostsWhere(
  service: ProviderService,
  where: string | null,
  signal: AbortSignal,
): Promise<Result<Chosen>> {
  const fleet = await service.session.observed({ signal });
  if (!fleet.ok) return fleet;
  const observed = fleet.value;
  if (where === null) return ok({ observed, hosts: hostsOf(observed) });
  const condition = conditionArgument(where);
  if (!condition.ok) return condition;
  return choose(service, condition.value, observed, signal);
}

/** A host without a result is a failure, because the expression may mean it. */
async function choose(
  service: ProviderService,
  condition: Condition,
  observed: Observed,
  signal: AbortSignal,
): Promise<Result<Chosen>> {
  const known = await readFacts(service, condition.needs, observed, signal);
  if (!known.ok) return known;
  const { facts, antivirusOf } = known.value;
  const faults: Problem[] = [];
  const ask = condition.begin();
  const hosts = hostsOf(observed).filter((host) => {
    const antivirus = antivirusOf(host.id);
    const subject = subjectOf(antivirus === undefined ? host : { ...host, antivirus }, observed, facts);
    const answer = ask(subject);
    if (!answer.ok)
      faults.push(
        problem(
          'invalid-expression',
          `the expression has no result for host ${host.id}: ${answer.fault.message}`,
        ),
      );
    return answer.ok && answer.value;
  });
  const [first] = faults;
  return first === undefined ? ok({ observed, hosts }, known.problems) : failed(first);
}

/** What an expression reads in addition to the list of hosts. */
interface KnownFacts {
  readonly facts: Facts;
  antivirusOf(id: HostId): AntivirusFact | undefined;
}

/** Reads only the lists that are needed; inventory is not fetched. */
async function readFacts(
  { session, inventoryPlace: place }: ProviderService,
  needs: FactNeeds,
  observed: Observed,
  signal: AbortSignal,
): Promise<Result<KnownFacts>> {
  const antivirus = needs.antivirus ? await session.antivirus({ signal }) : null;
  if (antivirus?.ok === false) return antivirus;
  const fields = needs.customFields
    ? await session.customFields({ signal })
    : ok({ ...noFacts, categories: undefined });
  if (!fields.ok) return fields;
  const inventory = await storedInventory(needs, observed, {
    session,
    place,
    reader: 'the expression reads',
  });
  if (!inventory.ok) return inventory;
  return ok(
    {
      facts: {
        lists: [...fields.value.lists, ...inventory.value.lists],
        customFieldsOf: (id) => fields.value.customFieldsOf(id),
        ...categoryNames(fields.value.categories),
        inventoryOf: (kind, id) => inventory.value.inventoryOf(kind, id),
      },
      antivirusOf: (id) => antivirus?.value.facts.get(id),
    },
    [...fields.problems, ...inventory.problems],
  );
}
