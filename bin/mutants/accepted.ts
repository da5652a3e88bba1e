import { acceptedServerMutants } from './accepted-server.ts';
import type { Accepted } from './mutant.ts';

const enumeration = 'a schema accepts the values of an enumeration in any order';

const withoutCode = 'Terraform shows the message of a problem, and not its code';
const absentIsNull = 'the protocol sends null for what is absent';
const guards = 'src/core/plan/guards';
const provider = 'src/terraform/provider';

/** Every exchange of neighbors in a list of codes. */
function swaps(
  file: string,
  original: string,
  codes: readonly string[],
  reason: string,
): readonly Accepted[] {
  const listed = (of: readonly string[]) => `[${of.map((code) => `'${code}'`).join(', ')}]`;
  return codes.slice(1).map((code, index) => ({
    file,
    change: `${original}  =>  ${listed(codes.with(index, code).with(index + 1, codes[index] as string))}`,
    reason,
  }));
}

const exportedLines = [
  "z.looseObject({ type: z.literal('state'), format_version: z.string() })",
  "z.looseObject({ type: z.literal('run'), journal: z.string() })",
  "z.looseObject({ type: z.literal('fleet'), snapshot: z.string() })",
  "z.looseObject({ type: z.literal('audit'), hash: z.string(), text: z.string() })",
  "z.looseObject({ type: z.literal('audit-head'), head: signedHeadSchema })",
  'rolloutLineSchema',
  'rolloutPlanLineSchema',
  'inventoryLineSchema',
];

export const acceptedMutants: readonly Accepted[] = [
  ...acceptedServerMutants,
  ...exportedLines.slice(1).map((line, index) => ({
    file: 'src/run/state/transfer.ts',
    change: `[ ${exportedLines.join(', ')}, ]  =>  [${exportedLines
      .with(index, line)
      .with(index + 1, exportedLines[index] as string)
      .join(', ')}]`,
    reason: 'a schema accepts its variants in any order',
  })),
  {
    file: 'src/run/state/postgres/postgres-rollouts.ts',
    change: `'late'  =>  "mutated"`,
    reason: 'the caller only asks whether the entry was written, or the lease was lost',
  },
  {
    file: 'src/run/state/postgres/postgres-runs.ts',
    change: "records === undefined || head?.type !== 'run'  =>  head?.type !== 'run'",
    reason: 'without records there is no head',
  },
  {
    file: 'src/run/state/postgres/postgres-runs.ts',
    change: 'limit ?? null  =>  limit',
    reason: 'the driver sends null for undefined',
  },
  {
    file: 'src/run/state/recall-runs.ts',
    change: '!skew.ok || !listed.ok  =>  !skew.ok',
    reason: 'a list that failed has problems in any case',
  },
  ...swaps(
    'src/run/state/journal/record-schema.ts',
    "['rename', 'temporary-rename', 'move', 'antivirus', 'refresh', 'delete']",
    ['rename', 'temporary-rename', 'move', 'antivirus', 'refresh', 'delete'],
    enumeration,
  ),
  {
    file: 'src/run/state/journal/record-schema.ts',
    change:
      '[runRecord, beginRecord, outcomeRecord, endRecord]  =>  [beginRecord, runRecord, outcomeRecord, endRecord]',
    reason: 'a schema accepts its variants in any order',
  },
  {
    file: 'src/run/state/journal/record-schema.ts',
    change:
      '[runRecord, beginRecord, outcomeRecord, endRecord]  =>  [runRecord, outcomeRecord, beginRecord, endRecord]',
    reason: 'a schema accepts its variants in any order',
  },
  {
    file: 'src/run/state/journal/record-schema.ts',
    change:
      '[runRecord, beginRecord, outcomeRecord, endRecord]  =>  [runRecord, beginRecord, endRecord, outcomeRecord]',
    reason: 'a schema accepts its variants in any order',
  },
  {
    file: 'src/run/state/prune-runs.ts',
    change:
      '[what, head.account.service, head.account.company_id]  =>  [head.account.service, what, head.account.company_id]',
    reason: 'a key of the same parts in another order is as unique',
  },
  {
    file: 'src/run/state/prune-runs.ts',
    change:
      '[what, head.account.service, head.account.company_id]  =>  [what, head.account.company_id, head.account.service]',
    reason: 'a key of the same parts in another order is as unique',
  },
  {
    file: 'src/run/state/journal/record-schema.ts',
    change: "['antivirus', 'refresh']  =>  ['refresh', 'antivirus']",
    reason: enumeration,
  },
  ...['!rememberedKinds.includes(record.kind)  =>  false', 'remembered.has(record.step)  =>  true'].map(
    (change) => ({
      file: 'src/run/state/journal/journal-on.ts',
      change,
      reason: 'a shortcut: the digest needs no other records',
    }),
  ),
  ...swaps(
    'src/run/state/journal/journal-on.ts',
    "['antivirus', 'refresh', 'delete']",
    ['antivirus', 'refresh', 'delete'],
    'the list is only searched',
  ),
  {
    file: 'src/run/state/journal/recall.ts',
    change: "kind === 'refresh' && earlier !== undefined  =>  earlier !== undefined",
    reason: 'an install outside the window has no earlier one within it',
  },
  {
    file: 'src/run/state/files/files-audit.ts',
    change: 'size - cursor  =>  size + cursor',
    reason: 'no read goes beyond the end of the file',
  },
  {
    file: 'src/run/state/prune-runs.ts',
    change: `'run'  =>  "mutated"`,
    reason: 'the name only differs from the other one',
  },
  {
    file: 'src/run/state/prune-runs.ts',
    change: `'pace'  =>  "mutated"`,
    reason: 'the name only differs from the other one',
  },
  {
    file: 'src/run/state/postgres/postgres-audit.ts',
    change: 'at < records.length  =>  at <= records.length',
    reason: 'one more statement inserts no rows',
  },
  {
    file: 'src/run/state/postgres/record-rows.ts',
    change: `body.type === 'begin' || body.type === 'outcome'  =>  true`,
    reason: 'a record without a step has no kind in any case',
  },
  {
    file: 'src/run/state/postgres/record-rows.ts',
    change: 'kind ?? null  =>  kind',
    reason: 'a column that the JSON leaves out is null',
  },
  {
    file: 'src/run/state/postgres/postgres-runs.ts',
    change: 'state && stateConditions[state]  =>  stateConditions[state]',
    reason: 'no state has no condition in any case',
  },
  {
    file: 'src/run/state/postgres/postgres-runs.ts',
    change: 'from < rows.length  =>  from <= rows.length',
    reason: 'one more statement inserts no rows',
  },
  {
    file: 'src/run/state/postgres/check-schema.ts',
    change: 'version === null || version < newestVersion  =>  version < newestVersion',
    reason: 'null compares as 0',
  },
  {
    file: 'src/service/client/failures.ts',
    change: 'status < 400  =>  status <= 400',
    reason: '400 has a code of its own, which is looked up before',
  },
  {
    file: 'src/service/client/failures.ts',
    change: 'status < 300  =>  status <= 300',
    reason: 'no contract and no table has a meaning for 300',
  },
  {
    file: 'src/service/client/call-queue.ts',
    change: 'a.order < b.order  =>  a.order <= b.order',
    reason: 'no two places have the same order',
  },
  {
    file: 'src/service/client/create-client.ts',
    change: '[first, second]  =>  [second, first]',
    reason: 'either signal ends the wait, in any order',
  },
  {
    file: 'src/service/client/send-once.ts',
    change: '[options.signal, timer?.expired]  =>  [timer?.expired, options.signal]',
    reason: 'either signal ends the request, in any order',
  },
  {
    file: 'src/service/client/adaptive-pacer.ts',
    change: 'nextAt > allPatientUntil  =>  nextAt >= allPatientUntil',
    reason: 'a shortcut: a look through the queue finds nobody to reject',
  },
  {
    file: 'src/service/client/adaptive-pacer.ts',
    change: 'allPatientUntil = Number.POSITIVE_INFINITY  =>  undefined',
    reason: 'a shortcut: a look through the queue finds nobody to reject',
  },
  {
    file: 'src/service/client/adaptive-pacer.ts',
    change: 'waiter.since + maxWaitMs  =>  waiter.since - maxWaitMs',
    reason: 'a shortcut: a look through the queue finds nobody to reject',
  },
  {
    file: 'src/service/client/adaptive-pacer.ts',
    change: 'alarm !== null && alarm.at <= at  =>  false',
    reason: 'a shortcut: the alarm is set anew for the same turn',
  },
  {
    file: 'src/service/client/adaptive-pacer.ts',
    change: 'alarm.at <= at  =>  alarm.at < at',
    reason: 'a shortcut: the alarm is set anew for the same turn',
  },
  {
    file: 'src/service/client/climb.ts',
    change: 'now <= this.#at  =>  now < this.#at',
    reason: 'where no time has passed, the factor is 1 in any case',
  },
  {
    file: 'src/service/client/pace.ts',
    change:
      'sending.rate <= mostAhead * this.#delivery.rate(now, Math.max(1, now - sending.at))  =>  sending.rate < mostAhead * this.#delivery.rate(now, Math.max(1, now - sending.at))',
    reason: 'two measured rates are equal only by chance',
  },
  {
    file: 'src/service/client/pace.ts',
    change: 'now - this.#crowdedAt < crowdMs  =>  now - this.#crowdedAt <= crowdMs',
    reason: 'a millisecond more or less of ten seconds',
  },
  {
    file: 'src/service/client/pace.ts',
    change: 'sinceCutMs <= longestDeliveryMs  =>  sinceCutMs < longestDeliveryMs',
    reason: 'a millisecond more or less of four seconds',
  },
  {
    file: 'src/service/client/quota.ts',
    change: 'tooSoonMs >= closeEnough * periodMs  =>  tooSoonMs > closeEnough * periodMs',
    reason: 'two measured times are equal only by chance',
  },
  {
    file: 'src/service/client/quota.ts',
    change: 'this.#refusedAt > this.#takenAt  =>  this.#refusedAt >= this.#takenAt',
    reason: 'of two calls in one millisecond, either may have come first',
  },
  {
    file: 'src/service/client/round-trip.ts',
    change: 'tripMs > near * this.#shortestMs  =>  tripMs >= near * this.#shortestMs',
    reason: 'two measured times are equal only by chance',
  },
  {
    file: 'src/service/client/failures.ts',
    change: [
      "[ `${actionWords(action)} returned ${status}`, meaning === undefined ? '' : ` (${meaning})`, location === null ? '' : `, a redirect to ${location}`, error.message === null ? '' : `: ${error.message}`, ]",
      "[`${actionWords(action)} returned ${status}`, location === null ? '' : `, a redirect to ${location}`, meaning === undefined ? '' : ` (${meaning})`, error.message === null ? '' : `: ${error.message}`]",
    ].join('  =>  '),
    reason: 'no redirect has a meaning in a contract',
  },
  ...[
    'after === undefined || needsNothing(intentFor(after, entry, book))  =>  after === undefined',
    'absent !== undefined || (name !== undefined && name.to !== host.name)  =>  true',
    'name !== undefined && name.to !== host.name  =>  name !== undefined',
    'antivirus !== undefined && installs.needs(host, antivirus)  =>  true',
    'antivirus !== undefined && installs.needs(host, antivirus)  =>  antivirus !== undefined',
    'true  =>  false',
    'target === undefined || target.id === host.groupId  =>  target === undefined',
  ].map((change) => ({
    file: `${guards}/is-settled.ts`,
    change,
    reason: 'a shortcut: comparing the whole fleet finds the same problems',
  })),
  {
    file: `${guards}/is-settled.ts`,
    change: 'change.entryIndex === undefined  =>  true',
    reason: 'the planned state of a host meets its entry: only rules can ask for more',
  },
  {
    file: `${guards}/is-settled.ts`,
    change: `'group'  =>  "mutated"`,
    reason: 'nothing reads the problems of this resolver, which have the place',
  },
  {
    file: `${guards}/protect.ts`,
    change: 'entryIndex === undefined || desired.isPlainAt(entryIndex)  =>  entryIndex === undefined',
    reason: 'a shortcut: an entry that sets only a name and a group protects nothing',
  },
  {
    file: `${guards}/policies.ts`,
    change: `'warning'  =>  "mutated"`,
    reason: 'every severity except error leads to a warning',
  },
  {
    file: `${guards}/check-plan.ts`,
    change: `move !== 'any' && move?.kind === 'named'  =>  move?.kind === 'named'`,
    reason: 'a text has no kind',
  },
  {
    file: `${guards}/guard.ts`,
    change: 'breach.group === undefined && isAckKind(breach.limit)  =>  breach.group === undefined',
    reason: 'an approval never names missing hosts',
  },
  {
    file: `${guards}/change-patterns.ts`,
    change: 'group === undefined  =>  false',
    reason: 'every move has a target group',
  },
  {
    file: `${guards}/policies.ts`,
    change: 'judges.length === 0  =>  false',
    reason: 'a shortcut: without policies, nothing reads the planned changes',
  },
  {
    file: `${guards}/policies.ts`,
    change: 'constraints === undefined  =>  false',
    reason: 'absent and undefined are the same to all readers',
  },
  {
    file: `${guards}/policies.ts`,
    change: 'found.length === 0  =>  false',
    reason: 'a shortcut: without policies for groups, nothing reads the hosts of a group',
  },
  {
    file: `${guards}/settle.ts`,
    change: 'outcomeOf(change) ?? undefined  =>  outcomeOf(change)',
    reason: 'a deletion claims no name, so the outcome is never null here',
  },
  {
    file: `${guards}/unreadable-hosts.ts`,
    change: 'unreadable.length === 0  =>  false',
    reason: 'a shortcut: without unreadable hosts, no entry needs one',
  },
  {
    file: `${guards}/unreadable-hosts.ts`,
    change:
      'entry.id !== undefined && observed.byId(entry.id) !== undefined  =>  observed.byId(entry.id) !== undefined',
    reason: 'no host has an undefined id',
  },
  {
    file: `${guards}/unreadable-hosts.ts`,
    change: 'name === null  =>  false',
    reason: 'no entry has a name that is null',
  },
  {
    file: 'src/run/apply/schedule.ts',
    change: 'a.order < b.order  =>  a.order <= b.order',
    reason: 'no two steps have the same order',
  },
  {
    file: 'src/run/apply/apply-steps.ts',
    change: 'stale.length === 0  =>  false',
    reason: 'a shortcut: without stale hosts, the selection keeps every step',
  },
  {
    file: 'src/run/apply/apply-steps.ts',
    change: 'cause.hostIds ?? []  =>  cause.hostIds',
    reason: 'every problem of the assessment names its hosts',
  },
  {
    file: 'src/terraform/fleet/apply-fleet.ts',
    change: '[kind, hostId, to]  =>  [hostId, kind, to]',
    reason: 'Two changes have equal keys in any order of the parts.',
  },
  {
    file: 'src/terraform/fleet/apply-fleet.ts',
    change: '[kind, hostId, to]  =>  [kind, to, hostId]',
    reason: 'Two changes have equal keys in any order of the parts.',
  },
  {
    file: 'src/terraform/fleet/latest-observation.ts',
    change: 'reads.delete(during)  =>  undefined',
    reason: 'The list of a read that has ended grows, and nothing reads it again.',
  },
  {
    file: 'src/terraform/fleet/latest-observation.ts',
    change: `'fleet'  =>  "mutated"`,
    reason: 'Every doubt that names do not settle is settled by a read of the fleet.',
  },
  {
    file: 'src/terraform/fleet/latest-observation.ts',
    change: 'name !== host.name  =>  true',
    reason: 'Putting a host again with the name that it has changes nothing.',
  },
  {
    file: 'src/terraform/fleet/coordinator.ts',
    change: `'all'  =>  "mutated"`,
    reason: 'any word: all of them may share a call',
  },
  {
    file: 'src/terraform/fleet/coordinator.ts',
    change: 'signal === undefined  =>  false',
    reason: 'an absent signal and one that is undefined are the same',
  },
  {
    file: 'src/terraform/fleet/coordinator.ts',
    change: 'removed.ok  =>  false',
    reason: 'a deleted host has no name that anybody could wait for',
  },
  {
    file: 'src/terraform/fleet/coordinator.ts',
    change: `'done'  =>  "mutated"`,
    reason: 'a deleted host has no name that anybody could wait for',
  },
  {
    file: 'src/terraform/fleet/coordinator.ts',
    change: 'options.planned && observation.fleet  =>  options.planned',
    reason: 'nothing is begun before the fleet is known',
  },
  {
    file: 'src/terraform/fleet/latest-observation.ts',
    change: 'host !== undefined  =>  true',
    reason: 'a host that is not listed is not put',
  },
  {
    file: 'src/terraform/fleet/latest-observation.ts',
    change: `what.kind === 'renamed' && names.has(what.host)  =>  names.has(what.host)`,
    reason: 'only a rename has one host',
  },
  {
    file: 'src/terraform/fleet/live-fleet.ts',
    change: 'listed.unreadable ?? []  =>  listed.unreadable',
    reason: 'absent and empty are the same to all readers',
  },
  {
    file: 'src/terraform/fleet/when-all-aborted.ts',
    change: 'true  =>  false',
    reason: 'a signal aborts only once',
  },
  {
    file: 'src/terraform/fleet/batch-collector.ts',
    change: 'from < waiting.length  =>  from <= waiting.length',
    reason: 'a step without hosts sends nothing',
  },
  {
    file: 'src/terraform/fleet/batch-collector.ts',
    change: 'left.length === 0  =>  false',
    reason: 'a step without hosts sends nothing',
  },
  {
    file: 'src/terraform/fleet/batch-collector.ts',
    change:
      'options.inDoubt?.(hostId as HostId, cause) ?? cause  =>  options.inDoubt?.(hostId as HostId, cause)',
    reason: 'only installs are ever in doubt',
  },
  {
    file: 'src/terraform/fleet/rename-queue.ts',
    change: 'cause.hostIds ?? []  =>  cause.hostIds',
    reason: 'every name conflict names its hosts',
  },
  {
    file: 'src/terraform/fleet/rename-queue.ts',
    change: `'cycle'  =>  "mutated"`,
    reason: 'Terraform shows no steps',
  },
  {
    file: 'src/terraform/fleet/rename-queue.ts',
    change: `outcome === 'not-started' || cause === undefined  =>  outcome === 'not-started'`,
    reason: 'only what was not started has no cause',
  },
  {
    file: 'src/terraform/fleet/rename-queue.ts',
    change: `outcome === 'not-started' || cause === undefined  =>  cause === undefined`,
    reason: 'only what was not started has no cause',
  },
  {
    file: 'src/terraform/fleet/rename-queue.ts',
    change: 'host === undefined || owner === undefined  =>  false',
    reason: 'a host that is not listed, or whose name is free, does not wait',
  },
  {
    file: 'src/terraform/fleet/rename-queue.ts',
    change: 'host === undefined || owner === undefined  =>  host === undefined',
    reason: 'a host that is not listed, or whose name is free, does not wait',
  },
  {
    file: 'src/terraform/fleet/rename-queue.ts',
    change: 'host === undefined || owner === undefined  =>  owner === undefined',
    reason: 'a host that is not listed, or whose name is free, does not wait',
  },
  {
    file: 'src/terraform/fleet/rename-problems.ts',
    change: 'ms < 1000  =>  ms <= 1000',
    reason: '1000 ms are 1 s',
  },
  {
    file: 'src/terraform/fleet/single-step.ts',
    change: `'terraform'  =>  "mutated"`,
    reason: 'Terraform shows no steps',
  },
  ...(
    [
      ['host/delete-host.ts', 'irreversible'],
      ['host/delete-host.ts', 'protected'],
      ['members/plan-members.ts', 'ack-mismatch'],
      ['members/plan-members.ts', 'limit-exceeded'],
      ['members/plan-members.ts', 'exclusive-group'],
    ] as const
  ).map(([file, code]) => ({
    file: `${provider}/${file}`,
    change: `'${code}'  =>  "mutated"`,
    reason: withoutCode,
  })),
  ...[
    'fleet?.groupById(host.groupId)?.name ?? null  =>  fleet?.groupById(host.groupId)?.name',
    'host.hostName ?? null  =>  host.hostName',
    'host.stateChangedAt ?? null  =>  host.stateChangedAt',
  ].map((change) => ({ file: `${provider}/host/host-facts.ts`, change, reason: absentIsNull })),
  {
    file: `${provider}/host/install-on-host.ts`,
    change:
      "result.problems.some(({ code }) => code === 'antivirus-in-doubt')  =>  result.problems.every(({ code }) => code === 'antivirus-in-doubt')",
    reason: 'an install fails with one problem',
  },
  {
    file: `${provider}/host/plan-host.ts`,
    change: 'found.problems.every(isAbsence)  =>  found.problems.some(isAbsence)',
    reason: 'a host that is absent has no other problem',
  },
  {
    file: `${provider}/host/schema.ts`,
    change:
      "[ keepPrior, requiresReplaceIf<string>( 'another id identifies another host', (prior, planned) => prior !== planned, ), ]  =>  [requiresReplaceIf<string>( 'another id identifies another host', (prior, planned) => prior !== planned, ), keepPrior]",
    reason: 'one says what the value is, the other whether it needs a replacement',
  },
  {
    file: `${provider}/members/members-resource.ts`,
    change: `'named'  =>  "mutated"`,
    reason: 'the search for a group takes every kind that it does not know for a name',
  },
  {
    file: `${provider}/members/members-values.ts`,
    change: 'a < b  =>  a <= b',
    reason: 'a set has no two equal ids',
  },
];
