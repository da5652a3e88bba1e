import type { Condition } from '../../../model/expression.ts';
import { noFacts } from '../../../model/facts.ts';
import { hostsOf, type Observed, type ObservedHost } from '../../../model/observed.ts';
import { subjectOf } from '../../../plan/subject.ts';
import { type Problem, problem } from '../../../problem/problem.ts';
import { failed, ok, type Result } from '../../../problem/result.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { isPresent } from '../../protocol/value/unknown.ts';
import { readFacts } from '../facts/read-facts.ts';
import { factsOf } from '../host/host-facts.ts';
import { kit, type Service, withService } from '../service.ts';
import { toDiagnostics } from '../to-diagnostics.ts';
import { readCondition } from './condition.ts';
import { hostAttributes } from './host-attributes.ts';

export const hostsData = kit.dataSource({
  schema: defineSchema({
    description: 'The hosts of the account, all or those that an expression chooses.',
    attributes: {
      where: {
        type: 'string',
        optional: true,
        description:
          'An expression in CEL that is true of the hosts to give, such as `host.group == "Berlin" && host.name.startsWith("LT-")`. What it reads decides which lists are fetched.',
      },
      ids: {
        type: { list: 'string' },
        computed: true,
        nonNull: true,
        description: 'Their ids, in the order of the service.',
      },
      hosts: {
        nested: 'list',
        computed: true,
        nonNull: true,
        description: 'The same hosts, with what the list says of them.',
        attributes: hostAttributes,
      },
    },
  }),
  validate: async ({ where }) => {
    if (!isPresent(where)) return [];
    const condition = readCondition(where);
    return condition.ok ? [] : toDiagnostics(condition.problems, ['where']);
  },
  read: ({ where }, call) =>
    withService(call, async (service) => {
      const chosen = await hostsWhere(service, where, call.signal);
      if (!chosen.ok) return { diagnostics: toDiagnostics(chosen.problems, where === null ? [] : ['where']) };
      const { observed, hosts } = chosen.value;
      return {
        diagnostics: toDiagnostics(chosen.problems),
        state: {
          where,
          ids: hosts.map(({ id }) => id),
          hosts: hosts.map((host) => factsOf(host, observed)),
        },
      };
    }),
});

interface Chosen {
  readonly observed: Observed;
  readonly hosts: readonly ObservedHost[];
}

async function hostsWhere(
  service: Service,
  where: string | null,
  signal: AbortSignal,
): Promise<Result<Chosen>> {
  const fleet = await service.session.observed({ signal });
  if (!fleet.ok) return fleet;
  const observed = fleet.value;
  if (where === null) return ok({ observed, hosts: hostsOf(observed) });
  const condition = readCondition(where);
  if (!condition.ok) return condition;
  return choose(service, condition.value, observed, signal);
}

/** A host of which nothing can be said is a failure: it may be among those that are meant. */
async function choose(
  service: Service,
  condition: Condition,
  observed: Observed,
  signal: AbortSignal,
): Promise<Result<Chosen>> {
  const known = await readFacts(service, condition.needs, observed, signal);
  if (!known.ok) return known;
  const { facts, antivirusOf } = known.value;
  const faults: Problem[] = [];
  const hosts = hostsOf(observed).filter((host) => {
    const antivirus = antivirusOf(host.id);
    const subject = subjectOf(
      antivirus === undefined ? host : { ...host, antivirus },
      observed,
      facts ?? noFacts,
    );
    const answer = condition.holds(subject);
    if (!answer.ok)
      faults.push(
        problem('invalid-expression', `it has no answer for host ${host.id}: ${answer.fault.message}`),
      );
    return answer.ok && answer.value;
  });
  const [first] = faults;
  return first === undefined ? ok({ observed, hosts }, known.problems) : failed(first);
}
