import type { Condition } from '../../../core/model/expression.ts';
import { hostsOf, type Observed, type ObservedHost } from '../../../core/model/observed.ts';
import { subjectOf } from '../../../core/plan/intents/subject.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { readFacts } from '../../fleet/fleet-inputs.ts';
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
  const { session, inventoryPlace: place } = service;
  const { needs } = condition;
  const list = needs.antivirus ? await session.antivirus({ signal }) : undefined;
  if (list?.ok === false) return list;
  const known = await readFacts(needs, observed, { session, place, reader: 'the expression reads', signal });
  if (!known.ok) return known;
  const faults: Problem[] = [];
  const ask = condition.begin();
  const hosts = hostsOf(observed).filter((host) => {
    const antivirus = list?.value.facts.get(host.id);
    const subject = subjectOf(antivirus === undefined ? host : { ...host, antivirus }, observed, known.value);
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
