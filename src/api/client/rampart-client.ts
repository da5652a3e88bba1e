// Written by `npm run schemas` from schema/server-api.json: change the routes of the server, not this file.
/* oxlint-disable max-lines */
import { type EventOptions, readEvents } from './read-events.ts';
import { type CallOptions, type ClientOptions, createSender, type ServerAnswer } from './send.ts';
import type {
  Accepted,
  AccountDetail,
  AccountRow,
  AccountsRequest,
  ApprovalRequest,
  AuditRow,
  AuditVerification,
  Cause,
  CreatedPlan,
  CreatedToken,
  DriftRow,
  Facets,
  History,
  HostDetail,
  HostRow,
  Ignore,
  Ignored,
  IgnoreRequest,
  Me,
  NewComment,
  NewToken,
  NotificationTest,
  Overview,
  Pause,
  PauseRequest,
  PlanDetail,
  PlanRow,
  ReasonRequest,
  Redriven,
  Rehearsal,
  RejectionRequest,
  ReviewHost,
  RolloutDetail,
  RolloutRow,
  RunDetail,
  RunEvent,
  RunRow,
  ServerEvent,
  Settings,
  Subject,
  TokenRow,
} from './shapes.ts';

/** A client of a Rampart server. No method rejects: a failure is a value with a problem. */
export type RampartClient = ReturnType<typeof createClient>;

/** A client of the server at an address, with a token of it. */
export function createClient(options: ClientOptions) {
  const send = createSender(options);
  return {
    /** Show who you are and which roles you have. */
    getMe: (options: CallOptions = {}): Promise<ServerAnswer<Me>> =>
      send({ method: 'GET', path: '/api/v1/me' }, options),
    /** Show whether everything is as it should be, and what waits, runs and differs. */
    getOverview: (options: CallOptions = {}): Promise<ServerAnswer<Overview>> =>
      send({ method: 'GET', path: '/api/v1/overview' }, options),
    /** Show drift, changes, checks and refusals of the service over time. */
    getHistory: (
      input: { readonly days?: number | undefined; readonly account?: string | undefined } = {},
      options: CallOptions = {},
    ): Promise<ServerAnswer<History>> =>
      send(
        { method: 'GET', path: '/api/v1/history', query: { days: input.days, account: input.account } },
        options,
      ),
    /** List accounts, those with the worst health first. */
    listAccounts: (
      input: {
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
        readonly q?: string | undefined;
        readonly health?: string | undefined;
        readonly where?: string | undefined;
        readonly cause?: string | undefined;
      } = {},
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly AccountRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: '/api/v1/accounts',
          query: {
            cursor: input.cursor,
            limit: input.limit,
            q: input.q,
            health: input.health,
            where: input.where,
            cause: input.cause,
          },
        },
        options,
      ),
    /** Show one account. */
    getAccount: (
      input: { readonly name: string },
      options: CallOptions = {},
    ): Promise<ServerAnswer<AccountDetail>> =>
      send({ method: 'GET', path: `/api/v1/accounts/${encodeURIComponent(input.name)}` }, options),
    /** List the attributes of hosts that differ from the desired state. */
    listDrift: (
      input: {
        readonly name: string;
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
        readonly cause?: string | undefined;
        readonly attribute?: 'name' | 'group' | 'antivirus' | 'presence' | undefined;
        readonly host_id?: string | undefined;
        readonly ignored?: 'true' | 'false' | undefined;
      },
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly DriftRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: `/api/v1/accounts/${encodeURIComponent(input.name)}/drift`,
          query: {
            cursor: input.cursor,
            limit: input.limit,
            cause: input.cause,
            attribute: input.attribute,
            host_id: input.host_id,
            ignored: input.ignored,
          },
        },
        options,
      ),
    /** List the hosts of one account. */
    listAccountHosts: (
      input: {
        readonly name: string;
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
        readonly q?: string | undefined;
        readonly group?: string | undefined;
        readonly state?: string | undefined;
        readonly drifted?: 'true' | 'false' | undefined;
        readonly from?: string | undefined;
      },
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly HostRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: `/api/v1/accounts/${encodeURIComponent(input.name)}/hosts`,
          query: {
            cursor: input.cursor,
            limit: input.limit,
            q: input.q,
            group: input.group,
            state: input.state,
            drifted: input.drifted,
            from: input.from,
          },
        },
        options,
      ),
    /** List the runs of one account, latest first. */
    listAccountRuns: (
      input: {
        readonly name: string;
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
      },
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly RunRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: `/api/v1/accounts/${encodeURIComponent(input.name)}/runs`,
          query: { cursor: input.cursor, limit: input.limit },
        },
        options,
      ),
    /** Read fleets now and compare them with the desired state. */
    checkAccounts: (
      input: { readonly body: AccountsRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<Accepted>> =>
      send({ method: 'POST', path: '/api/v1/accounts/check', body: input.body }, options),
    /** Read fleets now and make a plan for each account that differs. */
    planAccounts: (
      input: { readonly body: AccountsRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<Accepted>> =>
      send({ method: 'POST', path: '/api/v1/accounts/plan', body: input.body }, options),
    /** List what causes differences, over all accounts. */
    listCauses: (
      input: {
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
        readonly account?: string | undefined;
      } = {},
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly Cause[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: '/api/v1/causes',
          query: { cursor: input.cursor, limit: input.limit, account: input.account },
        },
        options,
      ),
    /** List the differences of an account that are ignored until a time. */
    listIgnores: (
      input: {
        readonly name: string;
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
      },
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly Ignore[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: `/api/v1/accounts/${encodeURIComponent(input.name)}/ignores`,
          query: { cursor: input.cursor, limit: input.limit },
        },
        options,
      ),
    /** Ignore differences of an account until a time. Plans still contain them. */
    createIgnore: (
      input: { readonly name: string; readonly body: IgnoreRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<Ignored>> =>
      send(
        {
          method: 'POST',
          path: `/api/v1/accounts/${encodeURIComponent(input.name)}/ignores`,
          body: input.body,
        },
        options,
      ),
    /** Stop ignoring a difference before its time. */
    deleteIgnore: (
      input: { readonly name: string; readonly id: string },
      options: CallOptions = {},
    ): Promise<ServerAnswer<Ignore>> =>
      send(
        {
          method: 'DELETE',
          path: `/api/v1/accounts/${encodeURIComponent(input.name)}/ignores/${encodeURIComponent(input.id)}`,
        },
        options,
      ),
    /** Search the hosts of all accounts by name, id, group, state and drift. */
    listHosts: (
      input: {
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
        readonly q?: string | undefined;
        readonly account?: string | undefined;
        readonly where?: string | undefined;
        readonly group?: string | undefined;
        readonly state?: string | undefined;
        readonly drifted?: 'true' | 'false' | undefined;
        readonly from?: string | undefined;
      } = {},
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly HostRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: '/api/v1/hosts',
          query: {
            cursor: input.cursor,
            limit: input.limit,
            q: input.q,
            account: input.account,
            where: input.where,
            group: input.group,
            state: input.state,
            drifted: input.drifted,
            from: input.from,
          },
        },
        options,
      ),
    /** Count the hosts of a search by account, group and state. */
    countHosts: (
      input: {
        readonly q?: string | undefined;
        readonly account?: string | undefined;
        readonly where?: string | undefined;
        readonly group?: string | undefined;
        readonly state?: string | undefined;
        readonly drifted?: 'true' | 'false' | undefined;
      } = {},
      options: CallOptions = {},
    ): Promise<ServerAnswer<Facets>> =>
      send(
        {
          method: 'GET',
          path: '/api/v1/hosts/facets',
          query: {
            q: input.q,
            account: input.account,
            where: input.where,
            group: input.group,
            state: input.state,
            drifted: input.drifted,
          },
        },
        options,
      ),
    /** Show one host: its facts, its differences, what decides each attribute, and its history. */
    getHost: (
      input: { readonly name: string; readonly id: string },
      options: CallOptions = {},
    ): Promise<ServerAnswer<HostDetail>> =>
      send(
        {
          method: 'GET',
          path: `/api/v1/accounts/${encodeURIComponent(input.name)}/hosts/${encodeURIComponent(input.id)}`,
        },
        options,
      ),
    /** List plans, latest first. */
    listPlans: (
      input: {
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
        readonly account?: string | undefined;
        readonly state?: string | undefined;
        readonly source?: string | undefined;
        readonly pull_request?: string | undefined;
      } = {},
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly PlanRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: '/api/v1/plans',
          query: {
            cursor: input.cursor,
            limit: input.limit,
            account: input.account,
            state: input.state,
            source: input.source,
            pull_request: input.pull_request,
          },
        },
        options,
      ),
    /** Show what a plan changes, what it needs, and who approved it. */
    getPlan: (input: { readonly id: string }, options: CallOptions = {}): Promise<ServerAnswer<PlanDetail>> =>
      send({ method: 'GET', path: `/api/v1/plans/${encodeURIComponent(input.id)}` }, options),
    /** List the hosts that a plan changes, in the order of their ids. */
    listPlanHosts: (
      input: {
        readonly id: string;
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
        readonly q?: string | undefined;
        readonly action?: 'rename' | 'move' | 'delete' | 'install' | 'refresh' | undefined;
        readonly group?: string | undefined;
        readonly irreversible?: 'true' | 'false' | undefined;
      },
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly ReviewHost[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: `/api/v1/plans/${encodeURIComponent(input.id)}/hosts`,
          query: {
            cursor: input.cursor,
            limit: input.limit,
            q: input.q,
            action: input.action,
            group: input.group,
            irreversible: input.irreversible,
          },
        },
        options,
      ),
    /** Download the plan file. `rampart show` and `rampart apply` read it. */
    getPlanDocument: (
      input: { readonly id: string },
      options: CallOptions = {},
    ): Promise<ServerAnswer<{ readonly format_version: string }>> =>
      send({ method: 'GET', path: `/api/v1/plans/${encodeURIComponent(input.id)}/document` }, options),
    /** Approve exactly this plan, with the exact numbers for the limits that it exceeds. */
    approvePlan: (
      input: { readonly id: string; readonly body: ApprovalRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<PlanRow>> =>
      send(
        { method: 'POST', path: `/api/v1/plans/${encodeURIComponent(input.id)}/approve`, body: input.body },
        options,
      ),
    /** Reject a plan, with a reason. */
    rejectPlan: (
      input: { readonly id: string; readonly body: RejectionRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<PlanRow>> =>
      send(
        { method: 'POST', path: `/api/v1/plans/${encodeURIComponent(input.id)}/reject`, body: input.body },
        options,
      ),
    /** Run a plan on emulated copies of the fleet, as the last check saw it. Nothing is sent to the service. */
    rehearsePlan: (
      input: { readonly id: string },
      options: CallOptions = {},
    ): Promise<ServerAnswer<Rehearsal>> =>
      send({ method: 'POST', path: `/api/v1/plans/${encodeURIComponent(input.id)}/rehearsal` }, options),
    /** Comment on a plan. */
    commentPlan: (
      input: { readonly id: string; readonly body: NewComment },
      options: CallOptions = {},
    ): Promise<ServerAnswer<{ readonly by: Subject; readonly at: string; readonly text: string }>> =>
      send(
        { method: 'POST', path: `/api/v1/plans/${encodeURIComponent(input.id)}/comments`, body: input.body },
        options,
      ),
    /** List runs, latest first. */
    listRuns: (
      input: {
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
        readonly account?: string | undefined;
        readonly state?: string | undefined;
        readonly plan?: string | undefined;
      } = {},
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly RunRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: '/api/v1/runs',
          query: {
            cursor: input.cursor,
            limit: input.limit,
            account: input.account,
            state: input.state,
            plan: input.plan,
          },
        },
        options,
      ),
    /** Show the progress of a run, or its result. */
    getRun: (input: { readonly id: string }, options: CallOptions = {}): Promise<ServerAnswer<RunDetail>> =>
      send({ method: 'GET', path: `/api/v1/runs/${encodeURIComponent(input.id)}` }, options),
    /** List the events of a run in their order. */
    listRunEvents: (
      input: {
        readonly id: string;
        readonly limit?: number | undefined;
        readonly after?: number | undefined;
        readonly before?: number | undefined;
      },
      options: CallOptions = {},
    ): Promise<ServerAnswer<{ readonly items: readonly RunEvent[] }>> =>
      send(
        {
          method: 'GET',
          path: `/api/v1/runs/${encodeURIComponent(input.id)}/events`,
          query: { limit: input.limit, after: input.after, before: input.before },
        },
        options,
      ),
    /** Ask a run to stop at the next safe point. */
    stopRun: (
      input: { readonly id: string; readonly body: ReasonRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<RunRow>> =>
      send(
        { method: 'POST', path: `/api/v1/runs/${encodeURIComponent(input.id)}/stop`, body: input.body },
        options,
      ),
    /** Let a run start or continue while a change window is closed or a freeze is active. */
    overrideRun: (
      input: { readonly id: string; readonly body: ReasonRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<RunRow>> =>
      send(
        { method: 'POST', path: `/api/v1/runs/${encodeURIComponent(input.id)}/override`, body: input.body },
        options,
      ),
    /** Plan the reversal of a run. The plan waits for approval like any other. */
    undoRun: (
      input: { readonly id: string; readonly body: ReasonRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<CreatedPlan>> =>
      send(
        { method: 'POST', path: `/api/v1/runs/${encodeURIComponent(input.id)}/undo`, body: input.body },
        options,
      ),
    /** List rollouts, latest first. */
    listRollouts: (
      input: { readonly cursor?: string | undefined; readonly limit?: number | undefined } = {},
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly RolloutRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        { method: 'GET', path: '/api/v1/rollouts', query: { cursor: input.cursor, limit: input.limit } },
        options,
      ),
    /** Approve plans of several accounts, and apply them in waves. */
    startRollout: (
      input: {
        readonly body: {
          readonly plans: readonly {
            readonly id: string;
            readonly checksum: string;
            readonly numbers?: Readonly<Record<string, number>> | undefined;
          }[];
          readonly reason: string;
          readonly canary?: readonly string[] | undefined;
          readonly waves?: readonly number[] | undefined;
          readonly by?: string | undefined;
          readonly max_failed?: number | undefined;
          readonly parallel?: number | undefined;
          readonly pause_seconds?: number | undefined;
        };
      },
      options: CallOptions = {},
    ): Promise<ServerAnswer<{ readonly id: string }>> =>
      send({ method: 'POST', path: '/api/v1/rollouts', body: input.body }, options),
    /** Show a rollout with its waves and accounts. */
    getRollout: (
      input: { readonly id: string },
      options: CallOptions = {},
    ): Promise<ServerAnswer<RolloutDetail>> =>
      send({ method: 'GET', path: `/api/v1/rollouts/${encodeURIComponent(input.id)}` }, options),
    /** Stop a rollout after the accounts that are being changed. */
    stopRollout: (
      input: { readonly id: string; readonly body: ReasonRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<RolloutDetail>> =>
      send(
        { method: 'POST', path: `/api/v1/rollouts/${encodeURIComponent(input.id)}/stop`, body: input.body },
        options,
      ),
    /** Resume a rollout that stopped. */
    resumeRollout: (
      input: { readonly id: string; readonly body: ReasonRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<RolloutDetail>> =>
      send(
        { method: 'POST', path: `/api/v1/rollouts/${encodeURIComponent(input.id)}/resume`, body: input.body },
        options,
      ),
    /** End a rollout for good. */
    abortRollout: (
      input: { readonly id: string; readonly body: ReasonRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<RolloutDetail>> =>
      send(
        { method: 'POST', path: `/api/v1/rollouts/${encodeURIComponent(input.id)}/abort`, body: input.body },
        options,
      ),
    /** List what people, programs and runs did, latest first. */
    listAudit: (
      input: {
        readonly cursor?: string | undefined;
        readonly limit?: number | undefined;
        readonly q?: string | undefined;
        readonly kind?: string | undefined;
        readonly account?: string | undefined;
        readonly by?: string | undefined;
        readonly from?: string | undefined;
        readonly to?: string | undefined;
      } = {},
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly AuditRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        {
          method: 'GET',
          path: '/api/v1/audit',
          query: {
            cursor: input.cursor,
            limit: input.limit,
            q: input.q,
            kind: input.kind,
            account: input.account,
            by: input.by,
            from: input.from,
            to: input.to,
          },
        },
        options,
      ),
    /** Check the chain and the signature of the audit log, and the runs, plans and approvals that it covers. */
    verifyAudit: (
      input: { readonly head?: string | undefined } = {},
      options: CallOptions = {},
    ): Promise<ServerAnswer<AuditVerification>> =>
      send({ method: 'GET', path: '/api/v1/audit/verify', query: { head: input.head } }, options),
    /** Show sources, notifications and the mapping of roles. Settings are changed in the file. */
    getSettings: (options: CallOptions = {}): Promise<ServerAnswer<Settings>> =>
      send({ method: 'GET', path: '/api/v1/settings' }, options),
    /** Send a test message now. */
    testNotification: (
      input: { readonly name: string },
      options: CallOptions = {},
    ): Promise<ServerAnswer<NotificationTest>> =>
      send({ method: 'POST', path: `/api/v1/notifications/${encodeURIComponent(input.name)}/test` }, options),
    /** Send the messages again that were given up. */
    redriveNotification: (
      input: { readonly name: string },
      options: CallOptions = {},
    ): Promise<ServerAnswer<Redriven>> =>
      send(
        { method: 'POST', path: `/api/v1/notifications/${encodeURIComponent(input.name)}/redrive` },
        options,
      ),
    /** List the tokens of scripts, without the tokens themselves. */
    listTokens: (
      input: { readonly cursor?: string | undefined; readonly limit?: number | undefined } = {},
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly TokenRow[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        { method: 'GET', path: '/api/v1/tokens', query: { cursor: input.cursor, limit: input.limit } },
        options,
      ),
    /** Create a token with at most your own roles. Only this answer contains it. */
    createToken: (
      input: { readonly body: NewToken },
      options: CallOptions = {},
    ): Promise<ServerAnswer<CreatedToken>> =>
      send({ method: 'POST', path: '/api/v1/tokens', body: input.body }, options),
    /** Revoke a token at once. */
    revokeToken: (
      input: { readonly id: string },
      options: CallOptions = {},
    ): Promise<ServerAnswer<TokenRow>> =>
      send({ method: 'DELETE', path: `/api/v1/tokens/${encodeURIComponent(input.id)}` }, options),
    /** List the pauses that hold now. */
    listPauses: (
      input: { readonly cursor?: string | undefined; readonly limit?: number | undefined } = {},
      options: CallOptions = {},
    ): Promise<
      ServerAnswer<{ readonly items: readonly Pause[]; readonly next?: string; readonly total?: number }>
    > =>
      send(
        { method: 'GET', path: '/api/v1/pauses', query: { cursor: input.cursor, limit: input.limit } },
        options,
      ),
    /** Pause an account, the accounts of an expression, or everything. */
    createPause: (
      input: { readonly body: PauseRequest },
      options: CallOptions = {},
    ): Promise<ServerAnswer<Pause>> =>
      send({ method: 'POST', path: '/api/v1/pauses', body: input.body }, options),
    /** End a pause. */
    deletePause: (input: { readonly id: string }, options: CallOptions = {}): Promise<ServerAnswer<Pause>> =>
      send({ method: 'DELETE', path: `/api/v1/pauses/${encodeURIComponent(input.id)}` }, options),
    /** Follow changes as server-sent events. The header Last-Event-ID, or the parameter, resumes after an event. */
    streamEvents: (options: EventOptions = {}) => readEvents<ServerEvent>(send, '/api/v1/events', options),
  };
}
