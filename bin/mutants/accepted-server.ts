import type { Accepted } from './mutant.ts';

type Changes = readonly (readonly [change: string, reason: string])[];

const aborts = 'either of the two signals aborts it';
const known = 'a rollout names only accounts of its head';
const noCursor = 'a list without a cursor is not refused';
const newestOnly = 'only the first item is used';
const typeOnly = 'it only shows the compiler what the values are';
const oneCaller = 'all requests share one bucket, whatever its name';
const pathsDiffer = 'no request matches two of these paths';
const isError = 'a failure has a problem that is an error';
const anyOrder = 'a query takes states in any order';
const sentNull = 'the drivers send null for undefined';
const hasRow = 'a count has a row';
const eachQueue = 'each queue is created and worked on its own';
const onlyDiffers = 'the key only has to differ';
const nullIsAbsent = 'an origin leaves out what is null, too';

const changes: Readonly<Record<string, Changes>> = {
  'src/accounts/rollouts/account-end.ts': [
    [`'done'  =>  "mutated"`, 'every state counts as done that is not pending, running or failed'],
  ],
  'src/accounts/rollouts/decide-rollout.ts': [
    ['lastEndAt === null  =>  false', 'a time since nothing is not a number, which is not greater than 0'],
  ],
  'src/accounts/rollouts/rollout-record-keeper.ts': [
    ['fold = foldRollout(head)  =>  undefined', 'the same events in the same order end in the same state'],
  ],
  'src/accounts/rollouts/run-rollout.ts': [
    ['[stop, lease.lost]  =>  [lease.lost, stop]', aborts],
    ['!noted.ok  =>  true', 'a note that succeeded has no problems'],
    ["next.kind === 'stop'  =>  true", 'once the record says that it is over, no other reason counts'],
  ],
  'src/accounts/rollouts/split-waves.ts': [
    ['a < b  =>  a <= b', 'the values of a label are unique here'],
    ['by === undefined  =>  false', 'no account has a label with the name "undefined"'],
  ],
  'src/accounts/rollouts/undo-rollout.ts': [
    ['[stop, lease.lost]  =>  [lease.lost, stop]', aborts],
    ['name === undefined  =>  false', known],
    ['name === undefined || account === undefined  =>  name === undefined', known],
    ['name === undefined || account === undefined  =>  account === undefined', known],
    ['broken !== undefined && !broken.ok  =>  broken !== undefined', typeOnly],
  ],
  'src/accounts/engine/check-account.ts': [
    ['!inputs.ok  =>  false', 'no hosts are chosen and no order is asked for, so nothing can fail'],
    ['false  =>  true', 'it adds unmanaged hosts to a part of the report that nobody reads here'],
    ['isOfFile && place !== undefined  =>  isOfFile', 'what a file requests has a place in it'],
  ],
  'src/accounts/engine/open-account.ts': [
    ['asked.since ?? 0  =>  asked.since', 'a time that is absent is not later than another one'],
  ],
  'src/server/rollouts/rules/advance-rollout.ts': [
    [`'ended'  =>  "mutated"`, known],
    [
      "approved.problems[0]?.message ?? 'it was refused'  =>  approved.problems[0]?.message",
      'what is refused has a problem',
    ],
    ['page.ok  =>  true', noCursor],
    ['1  =>  2', newestOnly],
  ],
  'src/server/rollouts/rules/change-rollout.ts': [
    ["['approved', 'running']  =>  ['running', 'approved']", anyOrder],
    ['1  =>  2', newestOnly],
  ],
  'src/server/queue/queue.ts': [
    [
      "[ 'tick', 'check', 'run', 'rehearse', 'fetch', 'notify', 'rollout', 'prune', ]  =>  ['tick', 'check', 'rehearse', 'run', 'fetch', 'notify', 'rollout', 'prune']",
      eachQueue,
    ],
    [
      "[ 'tick', 'check', 'run', 'rehearse', 'fetch', 'notify', 'rollout', 'prune', ]  =>  ['tick', 'check', 'run', 'fetch', 'rehearse', 'notify', 'rollout', 'prune']",
      eachQueue,
    ],
    [
      "[ 'tick', 'check', 'run', 'rehearse', 'fetch', 'notify', 'rollout', 'prune', ]  =>  ['tick', 'check', 'run', 'rehearse', 'notify', 'fetch', 'rollout', 'prune']",
      eachQueue,
    ],
    [
      "[ 'tick', 'check', 'run', 'rehearse', 'fetch', 'notify', 'rollout', 'prune', ]  =>  ['tick', 'check', 'run', 'rehearse', 'fetch', 'rollout', 'notify', 'prune']",
      eachQueue,
    ],
    [
      "[ 'tick', 'check', 'run', 'rehearse', 'fetch', 'notify', 'rollout', 'prune', ]  =>  ['tick', 'check', 'run', 'rehearse', 'fetch', 'notify', 'prune', 'rollout']",
      eachQueue,
    ],
  ],
  'src/server/plans/rules/approved-plan.ts': [
    [
      'record === undefined || text === undefined  =>  text === undefined',
      'no text is read without a record',
    ],
  ],
  'src/server/accounts/rules/carry-out.ts': [
    ["['approved', 'running']  =>  ['running', 'approved']", anyOrder],
  ],
  'src/server/accounts/rules/check-account.ts': [['1  =>  2', newestOnly]],
  'src/server/accounts/rules/decide-check.ts': [
    ['!decided.ok  =>  false', 'a check may always happen'],
    ['isWritten.ok && !isWritten.value  =>  !isWritten.value', typeOnly],
  ],
  'src/accounts/approvals/read-command.ts': [
    ["['approve', 'reject']  =>  ['reject', 'approve']", 'a list of words only has to contain them'],
    ["match?.[1] ?? ''  =>  match?.[1]", typeOnly],
  ],
  'src/server/approvals/decisions/is-author.ts': [
    [
      '[subject.id, subject.name, ...(email === null ? [] : [email])]  =>  [subject.name, subject.id, ...(email === null ? [] : [email])]',
      'a list of words only has to contain them',
    ],
  ],
  'src/server/approvals/decisions/judge.ts': [['[by.kind, by.id]  =>  [by.id, by.kind]', onlyDiffers]],
  'src/server/runs/rules/end-run.ts': [
    [`'completely'  =>  "mutated"`, 'nothing keeps a reason for a run that is done'],
    ['failure?.message ?? reason  =>  failure?.message', 'nothing keeps a reason for a run that was stopped'],
  ],
  'src/server/accounts/rules/engine-of.ts': [
    ["event.type === 'call' && event.status === 429  =>  event.status === 429", typeOnly],
  ],
  'src/server/queue/rules/job-handlers.ts': [['[stopping, signal]  =>  [signal, stopping]', aborts]],
  'src/server/runs/rules/propose-undo.ts': [
    [`'waiting'  =>  "mutated"`, 'an added plan waits unless it is approved'],
  ],
  'src/server/runs/rules/run-plan.ts': [
    ['known?.override ?? null  =>  known?.override', 'a run that is no longer open is refused in any case'],
    [`'running'  =>  "mutated"`, 'whatever is not queued is written'],
    ['1  =>  2', newestOnly],
    [
      "problems.find(({ severity }) => severity === 'error') ?? problem('unforeseen', 'the run was refused without a reason')  =>  problems.find(({ severity }) => severity === 'error')",
      isError,
    ],
    [`'unforeseen'  =>  "mutated"`, isError],
    ['record.commit ?? undefined  =>  record.commit', nullIsAbsent],
    ['record.pullRequest ?? undefined  =>  record.pullRequest', nullIsAbsent],
    ['reason ?? undefined  =>  reason', nullIsAbsent],
  ],
  'src/server/runs/rules/run-windows.ts': [['constraints === undefined  =>  false', typeOnly]],
  'src/server/sign-in/rules/acts.ts': [[`'all'  =>  "mutated"`, oneCaller]],
  'src/server/sign-in/routes/sessions.ts': [[`'link'  =>  "mutated"`, oneCaller]],
  'src/server/sign-in/rules/login-provider.ts': [
    [
      'claims === undefined || !/^[\\x21-\\x7e]{1,255}$/.test(claims.sub)  =>  !/^[\\x21-\\x7e]{1,255}$/.test(claims.sub)',
      'the library refuses an answer without claims, because a nonce is expected',
    ],
  ],
  'src/server/sign-in/routes/open-login.ts': [
    [
      "['/login/*', '/logout', '/api/v1/exchange']  =>  ['/logout', '/login/*', '/api/v1/exchange']",
      pathsDiffer,
    ],
    [
      "['/login/*', '/logout', '/api/v1/exchange']  =>  ['/login/*', '/api/v1/exchange', '/logout']",
      pathsDiffer,
    ],
  ],
  'src/server/notifications/rules/deliver-to-forge.ts': [
    ["sent.problems[0]?.message ?? 'unknown'  =>  sent.problems[0]?.message", isError],
  ],
  'src/server/notifications/rules/deliver.ts': [
    ["sent.problems[0]?.message ?? 'unknown'  =>  sent.problems[0]?.message", isError],
    [`'test'  =>  "mutated"`, 'a message does not show the topics of its notices'],
  ],
  'src/server/notifications/rules/message.ts': [
    ['[kind, topic]  =>  [topic, kind]', onlyDiffers],
    ['sections.length === 1 && first !== undefined  =>  sections.length === 1', typeOnly],
    ["group[0]?.kind ?? 'drifted'  =>  group[0]?.kind", 'a group has a notice'],
    [
      'path === undefined || serverUrl === undefined  =>  serverUrl === undefined',
      'the text "undefined" is no path of the server',
    ],
  ],
  'src/server/notifications/rules/send-mail.ts': [
    ['true  =>  false', 'the subject and the text are text, so nothing is read from a file or an address'],
  ],
  'src/service/client/guarded-fetch.ts': [['[limit, signal]  =>  [signal, limit]', aborts]],
  'src/server/plans/records/commit-plans.ts': [
    ['commits.length === 0  =>  false', 'a shortcut: no commits, no reports'],
  ],
  'src/server/events/records/events.ts': [
    [
      "['source.changed', 'notification.changed']  =>  ['notification.changed', 'source.changed']",
      'a query takes types in any order',
    ],
  ],
  'src/server/hosts/records/host-search.ts': [
    ["text === ''  =>  false", 'every name begins with an empty text'],
    ['isId  =>  true', 'no host has an id that does not look like one'],
  ],
  'src/server/hosts/records/hosts.ts': [
    [
      'part < from || found.length === most  =>  part < from',
      'a shortcut: a statement with the limit 0 finds nothing',
    ],
    ['most - found.length  =>  most + found.length', 'a page takes only the first ones'],
  ],
  'src/server/hosts/records/ignores.ts': [
    ["cause ?? ''  =>  cause", sentNull],
    ['rows[0]?.added ?? 0  =>  rows[0]?.added', hasRow],
  ],
  'src/server/notifications/records/notifications.ts': [
    '[message.kind, message.channel, message.topic, message.account]',
    '[message.channel, message.topic, message.kind, message.account]',
    '[message.channel, message.kind, message.account, message.topic]',
  ].map(
    (other) =>
      [`[message.channel, message.kind, message.topic, message.account]  =>  ${other}`, onlyDiffers] as const,
  ),
  'src/server/accounts/records/overview.ts': ['oldestAccount === null', 'oldestAt === null'].map(
    (one) =>
      [`oldestAccount === null || oldestAt === null  =>  ${one}`, 'both are null, or neither'] as const,
  ),
  'src/server/database/pglite-over-thread.ts': [['requests += 1  =>  requests -= 1', onlyDiffers]],
  'src/server/database/pglite-thread.ts': [
    ['parentPort !== null  =>  true', typeOnly],
    [
      'await answerPglite(parentPort, () => openPglite(workerData))  =>  answerPglite(parentPort, () => openPglite(workerData))',
      'nothing follows it in the thread',
    ],
  ],
  'src/server/database/page.ts': [
    ['page.ok  =>  true', noCursor],
    [
      "key.success && !key.data.some((each) => String(each).includes('\\0'))  =>  !key.data.some((each) => String(each).includes('\\0'))",
      'what has no data throws, and is caught',
    ],
    ['rows.length > limit && last !== undefined  =>  rows.length > limit', typeOnly],
  ],
  'src/server/plans/records/propose-plan.ts': [
    ['covered.ok  =>  true', typeOnly],
    ...[
      'plan.reason',
      'plan.signature',
      'plan.digests?.changes',
      'plan.digests?.content',
      'change.state',
      'change.reason',
      'change.expiresAt?.toISOString()',
      'change.replacedBy',
      'change.pullRequest',
    ].map((value) => [`${value} ?? null  =>  ${value}`, sentNull] as const),
  ],
  'src/server/store/prune.ts': ['merged', 'removed'].map(
    (count) => [`rows[0]?.${count} ?? 0  =>  rows[0]?.${count}`, hasRow] as const,
  ),
  'src/server/accounts/records/record-check.ts': [
    ['[drift, check.causes]  =>  [check.causes, drift]', 'a digest only has to differ'],
    ...[
      'nextCheckAt?.toISOString()',
      'beganAt?.toISOString()',
      'fleet?.count',
      'drifted',
      'fleet?.digest',
    ].map((value) => [`${value} ?? null  =>  ${value}`, sentNull] as const),
  ],
  'src/server/rollouts/rules/start-rollout.ts': [
    ['true  =>  false', 'it only decides what is said if no account is configured, and the plans have some'],
  ],
};

/** Those of Rampart Server. */
export const acceptedServerMutants: readonly Accepted[] = Object.entries(changes).flatMap(([file, those]) =>
  those.map(([change, reason]) => ({ file, change, reason })),
);
