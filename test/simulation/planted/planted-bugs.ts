/** A defect of the server, made by replacing a text in its source. */
export interface PlantedBug {
  readonly name: string;
  readonly changes: readonly Change[];
  /** A seed whose history shows the bug. */
  readonly seed: number;
}

interface Change {
  /** Below `src/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const decisions = 'server/accounts/decisions';

/** What the laws of the simulation must find. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'a run that has lost its lease goes on sending',
    changes: [
      {
        file: 'run/apply/under-lease.ts',
        from: 'lease.refusal() ?? options.precondition?.()',
        to: 'options.precondition?.()',
      },
    ],
    seed: 405,
  },
  {
    name: 'a rename is sent twice',
    changes: [
      {
        file: 'service/wire/create-fleet-writer.ts',
        from: 'async rename(host, name, options) {',
        to: "async rename(host, name, options) { await client.call('renameHost', { path: { 'host-id': host }, body: { newDescription: name } }, options);",
      },
    ],
    seed: 1,
  },
  {
    name: 'a plan needs no approval',
    changes: [
      {
        file: `${decisions}/on-check.ts`,
        from: "if (mode !== 'correct' || exceeds)",
        to: 'if (exceeds && exceeds === null)',
      },
      {
        file: 'server/approvals/decisions/judge.ts',
        from: "mode === 'correct' && plan.required.numbers.length === 0",
        to: "mode !== 'observe'",
      },
    ],
    seed: 0,
  },
  {
    name: 'a limit lets one change more pass',
    changes: [
      {
        file: 'core/model/policy.ts',
        from: "limit.kind === 'count' ? limit.count :",
        to: "limit.kind === 'count' ? limit.count + 1 :",
      },
    ],
    seed: 6,
  },
  {
    name: 'one person is enough where two are required',
    changes: [
      {
        file: 'server/approvals/decisions/judge.ts',
        from: 'people.size >= required.approvals',
        to: 'people.size >= Math.min(1, required.approvals)',
      },
    ],
    seed: 1,
  },
  {
    name: 'an author approves their own change',
    changes: [
      {
        file: 'server/approvals/decisions/may-approve.ts',
        from: 'if (!notAuthor) return undefined;',
        to: 'if (!notAuthor || notAuthor) return undefined;',
      },
    ],
    seed: 2,
  },
  {
    name: 'a rejection counts as an approval',
    changes: [
      {
        file: 'server/approvals/decisions/judge.ts',
        from: "if (approvals.some(({ decision }) => decision === 'rejected')) return 'rejected';",
        to: '',
      },
    ],
    seed: 1,
  },
  {
    name: 'an approval is kept over new effects',
    changes: [
      {
        file: `${decisions}/on-check.ts`,
        from: '{ ...found, ...proposed, replacedBy: null',
        to: "{ ...found, ...proposed, ...(open?.state === 'approved' ? { state: 'approved' as const } : {}), replacedBy: null",
      },
      {
        file: 'server/approvals/decisions/judge.ts',
        from: 'return plan.changes === 0 ||',
        to: "return mode !== 'observe' || plan.changes === 0 ||",
      },
    ],
    seed: 44,
  },
  {
    name: 'a plan is kept though none of its changes is left',
    changes: [
      {
        file: 'server/plans/decisions/kept-units.ts',
        from: 'return kept === 0 ? undefined : {',
        to: 'return kept < 0 ? undefined : {',
      },
    ],
    seed: 60,
  },
  {
    name: 'decisions do not compare the version that they have read',
    changes: [
      {
        file: 'server/accounts/rules/carry-out.ts',
        from: 'if (!(await own.accounts.claim(name, version))) return ok(false);',
        to: 'await own.accounts.claim(name, version);',
      },
    ],
    seed: 147,
  },
  {
    name: 'an account with differences counts as converged',
    changes: [
      { file: `${decisions}/on-check.ts`, from: "if (differences === 'some') return 'drifted';", to: '' },
    ],
    seed: 1,
  },
  {
    name: 'an account stays running after its run',
    changes: [{ file: `${decisions}/on-run.ts`, from: '...healthAfter(state, end),', to: '' }],
    seed: 0,
  },
  {
    name: 'a run whose job was lost is never queued again',
    changes: [
      {
        file: 'server/runs/rules/queue-run.ts',
        from: "const begun = await accountsWithRuns(['running', 'stopping'], parts);",
        to: 'if (requeueMs > 0) return 0;\n  const begun = await accountsWithRuns([], parts);',
      },
      {
        file: 'server/accounts/rules/carry-out.ts',
        from: 'if (accounts.length > 0)',
        to: "if (accounts.length > 0 && name !== 'run')",
      },
    ],
    seed: 1,
  },
  {
    name: 'a run does not verify what it did',
    changes: [
      {
        file: 'run/apply/verify.ts',
        from: 'return [...own, ...others.filter(({ hostIds = [] }) => !hostIds.every((id) => named.has(id)))];',
        to: 'return [...own, ...others, ...named].slice(0, 0) as never;',
      },
    ],
    seed: 9,
  },
  {
    name: 'a rename gives another name than the plan',
    changes: [
      {
        file: 'service/wire/create-fleet-writer.ts',
        from: 'body: { newDescription: name }',
        to: 'body: { newDescription: `${name}-2` }',
      },
    ],
    seed: 0,
  },
  {
    name: 'a back-off stops checks',
    changes: [
      {
        file: `${decisions}/due.ts`,
        from: 'return lastCheckAt + backOff(name, attempts, cadenceMs);',
        to: 'return lastCheckAt + backOff(name, attempts, 1_000 * cadenceMs) * 20;',
      },
    ],
    seed: 13,
  },
  {
    name: 'a scheduler whose clock is ahead checks all the time',
    changes: [
      {
        file: 'server/queue/rules/tick.ts',
        from: 'const now = known[0]?.readAt.getTime() ?? clock.now();',
        to: 'const now = clock.now();',
      },
    ],
    seed: 201,
  },
  {
    name: 'a service that was down is never tried again',
    changes: [
      {
        file: `${decisions}/breaker.ts`,
        from: 'const probe = tryAt <= now ? probeOf(members) : undefined;',
        to: 'const probe = tryAt <= now ? probeOf([]) : undefined;',
      },
    ],
    seed: 149,
  },
  {
    name: 'a lost reply counts as done',
    changes: [
      {
        file: 'run/apply/name-step.ts',
        from: 'if (result.ok) return done;',
        to: "if (result.ok || result.failure.outcome === 'unknown') return done;",
      },
    ],
    seed: 15,
  },
  {
    name: 'a worker that takes a run over does its steps again',
    changes: [
      {
        file: 'run/apply/apply-steps.ts',
        from: "if (isDone(step, assessment)) return { outcome: 'already', failedHosts: [] };",
        to: '',
      },
    ],
    seed: 42,
  },
  {
    name: 'an account stays paused after its pause',
    changes: [
      {
        file: `${decisions}/decide.ts`,
        from: '...shownHealth(state, false), ',
        to: '',
      },
    ],
    seed: 30,
  },
  {
    name: 'a run that others overtook counts as failed',
    changes: [
      {
        file: 'server/runs/rules/end-run.ts',
        from: "failure === undefined || isForNextPlan ? 'stopped'",
        to: "failure === undefined ? 'stopped'",
      },
    ],
    seed: 44,
  },
  {
    name: 'nobody hears of a plan that waits',
    changes: [
      {
        file: 'server/notifications/rules/decided-notices.ts',
        from: "...(plan?.state === 'waiting' ? [planNotice(plan)] : []),",
        to: '',
      },
    ],
    seed: 0,
  },
  {
    name: 'a crash after the end of a run loses its notice',
    changes: [
      {
        file: 'server/accounts/rules/carry-out.ts',
        from: 'await enqueueNotices(notices',
        to: "if (!commands.some(({ kind }) => kind === 'move-run')) await enqueueNotices(notices",
      },
    ],
    seed: 0,
  },
  {
    name: 'a wave begins before the one before it has ended',
    changes: [
      {
        file: 'accounts/rollouts/decide-rollout.ts',
        from: "if (running > 0) return { kind: 'wait' };\n      continue;",
        to: 'continue;',
      },
    ],
    seed: 6,
  },
  {
    name: 'a rollout counts an account as done whose run failed',
    changes: [
      {
        file: 'server/rollouts/rules/advance-rollout.ts',
        from: "return { exitCode: exitCodes.success, ...runId };\n    case 'failed':",
        to: "case 'failed':\n      return { exitCode: exitCodes.success, ...runId };",
      },
    ],
    seed: 62,
  },
  {
    name: 'the plan of a rollout does not wait for its wave',
    changes: [
      {
        file: `${decisions}/on-plan.ts`,
        from: "if (via === 'rollout' || run !== null) return [];",
        to: 'if (run !== null) return [];',
      },
    ],
    seed: 6,
  },
  {
    name: 'a rollout that someone stopped starts more accounts',
    changes: [
      {
        file: 'accounts/rollouts/decide-rollout.ts',
        from: "if (rollout.state !== 'running')",
        to: "if (rollout.state === 'completed')",
      },
    ],
    seed: 33,
  },
  {
    name: 'an account of an aborted rollout waits for its wave',
    changes: [
      {
        file: 'server/rollouts/rules/advance-rollout.ts',
        from: "if (rollout.state === 'aborted')",
        to: "if (rollout.state === 'draft')",
      },
    ],
    seed: 206,
  },
  {
    name: 'the end of a rollout is written before its notice',
    changes: [
      {
        file: 'server/rollouts/rules/advance-rollout.ts',
        from: 'await enqueueNotices([notice], parts, inside);',
        to: 'void Promise.resolve().then(() => enqueueNotices([notice], parts, parts.store));',
      },
    ],
    seed: 6,
  },
  {
    name: 'a run begins though its window is closed',
    changes: [
      {
        file: 'server/plans/rules/approved-plan.ts',
        from: 'if (lasting !== undefined || override !== null) return lasting;',
        to: 'if (lasting !== undefined || override !== null || parts.clock !== null) return lasting;',
      },
    ],
    seed: 10,
  },
  {
    name: 'a message that was not sent counts as sent',
    changes: [
      {
        file: 'server/notifications/rules/deliver.ts',
        from: 'if (sent.ok) await',
        to: 'if (sent.ok || !sent.ok) await',
      },
    ],
    seed: 2,
  },
  {
    name: 'a message that was sent is not recorded',
    changes: [
      {
        file: 'server/notifications/rules/deliver.ts',
        from: 'await store.notifications.sent(ids)',
        to: 'await Promise.resolve(ids)',
      },
    ],
    seed: 0,
  },
  {
    name: 'an install that was requested is requested again',
    changes: [
      {
        file: 'core/model/install-request.ts',
        from: 'if (request === undefined || host',
        to: 'if (request !== undefined) return undefined; if (request === undefined || host',
      },
    ],
    seed: 6,
  },
  {
    name: 'an install whose reply was lost is requested again',
    changes: [
      {
        file: 'core/model/install-request.ts',
        from: "return isRefuted(host, request, recall, observed) ? undefined : 'in-doubt';",
        to: 'return undefined;',
      },
    ],
    seed: 83,
  },
  {
    name: 'an account whose installs nobody has seen counts as converged',
    changes: [
      {
        file: `${decisions}/on-check.ts`,
        from: "if (installs === 'in_progress') return 'in_progress';",
        to: '',
      },
    ],
    seed: 0,
  },
];
