// Written by `npm run schemas` from schema/server-api.json: change the routes of the server, not this file.
/* oxlint-disable max-lines */

export interface AccountRow {
  readonly name: string;
  readonly company_id: string | null;
  readonly service: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly mode: 'observe' | 'propose' | 'correct';
  readonly health:
    | 'failing'
    | 'in_doubt'
    | 'drifted'
    | 'waiting'
    | 'running'
    | 'in_progress'
    | 'paused'
    | 'ignored'
    | 'converged'
    | null;
  readonly waiting_for: 'approval' | 'window' | 'pause' | 'rollout' | 'worker' | null;
  readonly since: string | null;
  readonly hosts: number | null;
  readonly drifted: number | null;
  readonly plan: {
    readonly id: string;
    readonly checksum: string;
    readonly changes: number;
    readonly irreversible: number;
  } | null;
  readonly run: string | null;
  readonly commit: string | null;
  readonly last_check_at: string | null;
  readonly next_check_at: string | null;
  readonly failure: Failure | null;
  readonly hold?: {
    readonly kind: 'undo' | 'stopped' | 'failed-runs';
    readonly run: string;
    readonly at: string;
    readonly reason: string;
  } | null;
  readonly pause: Pause | null;
}

export interface AccountDetail {
  readonly name: string;
  readonly company_id: string | null;
  readonly service: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly mode: 'observe' | 'propose' | 'correct';
  readonly health:
    | 'failing'
    | 'in_doubt'
    | 'drifted'
    | 'waiting'
    | 'running'
    | 'in_progress'
    | 'paused'
    | 'ignored'
    | 'converged'
    | null;
  readonly waiting_for: 'approval' | 'window' | 'pause' | 'rollout' | 'worker' | null;
  readonly since: string | null;
  readonly hosts: number | null;
  readonly drifted: number | null;
  readonly plan: {
    readonly id: string;
    readonly checksum: string;
    readonly changes: number;
    readonly irreversible: number;
  } | null;
  readonly run: string | null;
  readonly commit: string | null;
  readonly last_check_at: string | null;
  readonly next_check_at: string | null;
  readonly failure: Failure | null;
  readonly hold?: {
    readonly kind: 'undo' | 'stopped' | 'failed-runs';
    readonly run: string;
    readonly at: string;
    readonly reason: string;
  } | null;
  readonly pause: Pause | null;
  readonly windows: readonly {
    readonly name: string;
    readonly is_open: boolean;
    readonly changes_at?: string;
    readonly place?: SourcePlace;
  }[];
  readonly causes: readonly Cause[];
  readonly coverage: {
    readonly inventory: readonly { readonly label: string; readonly hosts: number }[];
    readonly antivirus: readonly { readonly label: string; readonly hosts: number }[];
  };
  readonly policies: readonly {
    readonly kind: string;
    readonly title: string;
    readonly place?: SourcePlace;
    readonly acted: number;
  }[];
}

export interface AccountsRequest {
  readonly names?: readonly string[] | undefined;
  readonly where?: string | undefined;
  readonly all?: true | undefined;
  readonly reason?: string | undefined;
}

export interface Accepted {
  readonly accounts: number;
  readonly queued: number;
}

export interface Approval {
  readonly by: Subject;
  readonly at: string;
  readonly decision: 'approved' | 'rejected';
  readonly numbers: Readonly<Record<string, number>>;
  readonly comment?: string;
  readonly via: 'console' | 'api' | 'cli' | 'pull-request' | 'rollout';
}

export interface ApprovalRequest {
  readonly checksum: string;
  readonly numbers?: Readonly<Record<string, number>> | undefined;
  readonly comment?: string | undefined;
}

export interface AuditRow {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly account: string | null;
  readonly by: string;
  readonly text: string;
  readonly what: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

export interface AuditVerification {
  readonly verdict: 'intact' | 'unsigned' | 'broken';
  readonly records: number;
  readonly head: { readonly seq: number; readonly hash: string } | null;
  readonly signed_head: {
    readonly seq: number;
    readonly hash: string;
    readonly format_version: string;
    readonly at: string;
    readonly first_seq: number;
    readonly key: string;
    readonly signature: string;
  } | null;
  readonly fault_count: number;
  readonly faults: readonly {
    readonly kind: 'changed' | 'missing' | 'added' | 'replaced' | 'cut-off' | 'unsigned' | 'not-as-recorded';
    readonly seq: number;
    readonly message: string;
  }[];
  readonly unnoticed: readonly string[];
  readonly at: string;
}

export interface Cause {
  readonly id: string;
  readonly kind: 'file' | 'fleet' | 'failure';
  readonly title: string;
  readonly rule?: string;
  readonly place?: SourcePlace;
  readonly hosts: number;
  readonly accounts: number;
  readonly since: string;
  readonly by?: {
    readonly kind: 'commit' | 'run';
    readonly id: string;
    readonly name: string | null;
    readonly others: boolean;
  };
}

export interface Counts {
  readonly rename: number;
  readonly move: number;
  readonly delete: number;
  readonly install: number;
  readonly refresh: number;
}

export interface CreatedPlan {
  readonly plan: string;
}

export interface CreatedToken {
  readonly id: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly created_by: Subject;
  readonly created_at: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly token: string;
}

export interface DriftRow {
  readonly account: string;
  readonly host_id: string;
  readonly name: string;
  readonly attribute: 'name' | 'group' | 'antivirus' | 'presence';
  readonly desired: string | null;
  readonly last: string | null;
  readonly live: string | null;
  readonly changed: 'fleet' | 'file' | 'both';
  readonly since: string;
  readonly cause: string;
  readonly ignored: boolean;
}

export interface Facets {
  readonly accounts: readonly { readonly value: string; readonly hosts: number }[];
  readonly groups: readonly { readonly value: string; readonly hosts: number }[];
  readonly states: readonly { readonly value: string; readonly hosts: number }[];
  readonly drifted: number;
  readonly total?: number;
  readonly is_complete?: boolean;
}

export interface Failure {
  readonly since: string;
  readonly attempts: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly place?: SourcePlace;
  readonly retry_at?: string;
}

export interface Grant {
  readonly role: 'viewer' | 'planner' | 'approver' | 'operator' | 'admin';
  readonly where?: string;
}

export interface History {
  readonly from: string;
  readonly bucket_seconds: number;
  readonly series: Readonly<Record<string, readonly number[]>>;
}

export interface HostDetail {
  readonly account: string;
  readonly host_id: string;
  readonly name: string;
  readonly group: string | null;
  readonly state: string | null;
  readonly drifted: boolean;
  readonly seen_at: string;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
  readonly drift: readonly DriftRow[];
  readonly explain: readonly {
    readonly attribute: string;
    readonly value: string | null;
    readonly decided_by: string;
    readonly place?: SourcePlace;
    readonly overruled?: readonly { readonly decided_by: string; readonly place: SourcePlace }[];
  }[];
  readonly explain_problem?: string;
  readonly history: readonly {
    readonly at: string;
    readonly run: string;
    readonly text: string;
    readonly outcome: string;
    readonly by: string | null;
  }[];
}

export interface HostRow {
  readonly account: string;
  readonly host_id: string;
  readonly name: string;
  readonly group: string | null;
  readonly state: string | null;
  readonly drifted: boolean;
  readonly seen_at: string;
}

export interface Ignore {
  readonly id: string;
  readonly account: string;
  readonly host_id: string;
  readonly name: string;
  readonly attribute: 'name' | 'group' | 'antivirus' | 'presence';
  readonly live: string | null;
  readonly reason: string;
  readonly by: Subject;
  readonly at: string;
  readonly until: string;
}

export interface Ignored {
  readonly differences: number;
  readonly until: string;
}

export interface IgnoreRequest {
  readonly differences?:
    | readonly { readonly host_id: string; readonly attribute: 'name' | 'group' | 'antivirus' | 'presence' }[]
    | undefined;
  readonly cause?: string | undefined;
  readonly reason: string;
  readonly until: string;
}

export interface Me {
  readonly subject: Subject;
  readonly email: string | null;
  readonly grants: readonly Grant[];
  readonly csrf: string | null;
  readonly session_expires_at: string | null;
  readonly server: { readonly version: string; readonly is_emulator: boolean; readonly has_login: boolean };
}

export interface NewComment {
  readonly text: string;
}

export interface NewToken {
  readonly name: string;
  readonly grants: readonly {
    readonly role: 'viewer' | 'planner' | 'approver' | 'operator' | 'admin';
    readonly where?: string | undefined;
  }[];
  readonly expires_in_days: number;
}

export interface NotificationRow {
  readonly name: string;
  readonly kind: 'slack' | 'teams' | 'webhook' | 'email' | 'github' | 'gitlab';
  readonly where: string | null;
  readonly kinds: readonly string[];
  readonly digest_seconds: number | null;
  readonly last_sent_at: string | null;
  readonly dead: number;
  readonly problem: string | null;
}

export interface NotificationTest {
  readonly sent: boolean;
  readonly message: string;
}

export interface Overview {
  readonly at: string;
  readonly accounts: number;
  readonly unchecked: number;
  readonly hosts: number;
  readonly drifted?: number;
  readonly health: Readonly<Record<string, number>>;
  readonly waiting_for?: Readonly<Record<string, number>>;
  readonly oldest_check: { readonly account: string; readonly at: string } | null;
  readonly causes: readonly Cause[];
  readonly paused?: number;
  readonly waiting: readonly {
    readonly id: string;
    readonly account: string;
    readonly checksum: string;
    readonly state: 'waiting' | 'approved' | 'running' | 'done' | 'rejected' | 'stale' | 'expired';
    readonly reason: string | null;
    readonly replaced_by: string | null;
    readonly source: string;
    readonly commit: string | null;
    readonly author: string | null;
    readonly pull_request: string | null;
    readonly created_at: string;
    readonly expires_at: string;
    readonly counts: Counts;
    readonly changes: number;
    readonly irreversible: number;
    readonly calls: number;
    readonly required: {
      readonly approvals: number;
      readonly not_author: boolean;
      readonly numbers: readonly {
        readonly limit: string;
        readonly value: number;
        readonly allowed: number;
      }[];
    };
    readonly approvals: readonly Approval[];
    readonly may_approve: { readonly allowed: boolean; readonly reason?: string };
    readonly is_paused?: boolean;
  }[];
  readonly running: readonly RunRow[];
  readonly rollouts: readonly RolloutRow[];
  readonly more: { readonly causes: boolean; readonly waiting: boolean; readonly running: boolean };
  readonly changed: { readonly hosts: number; readonly accounts: number };
}

export interface Pause {
  readonly id: string;
  readonly scope: string;
  readonly by: Subject;
  readonly reason: string;
  readonly at: string;
  readonly until?: string;
}

export interface PauseRequest {
  readonly account?: string | undefined;
  readonly where?: string | undefined;
  readonly all?: true | undefined;
  readonly reason: string;
  readonly until?: string | undefined;
}

export interface PlanDetail {
  readonly id: string;
  readonly account: string;
  readonly checksum: string;
  readonly state: 'waiting' | 'approved' | 'running' | 'done' | 'rejected' | 'stale' | 'expired';
  readonly reason: string | null;
  readonly replaced_by: string | null;
  readonly source: string;
  readonly commit: string | null;
  readonly author: string | null;
  readonly pull_request: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly counts: Counts;
  readonly changes: number;
  readonly irreversible: number;
  readonly calls: number;
  readonly required: {
    readonly approvals: number;
    readonly not_author: boolean;
    readonly numbers: readonly { readonly limit: string; readonly value: number; readonly allowed: number }[];
  };
  readonly approvals: readonly Approval[];
  readonly may_approve: { readonly allowed: boolean; readonly reason?: string };
  readonly verdict: string;
  readonly irreversible_hosts: readonly ReviewHost[];
  readonly unusual_hosts?: readonly ReviewHost[];
  readonly more?: {
    readonly irreversible_hosts: number;
    readonly unusual_hosts?: number;
    readonly problems: number;
    readonly chains: number;
  };
  readonly problems: readonly {
    readonly severity: 'error' | 'warning' | 'note';
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly place?: SourcePlace;
    readonly excerpt?: string;
    readonly policy?: string;
  }[];
  readonly groups: readonly {
    readonly name: string;
    readonly before: number;
    readonly after: number;
    readonly arrive: number;
    readonly leave: number;
  }[];
  readonly causes: readonly {
    readonly title: string;
    readonly place?: SourcePlace;
    readonly hosts: number;
  }[];
  readonly chains: readonly {
    readonly is_ring: boolean;
    readonly names: readonly string[];
    readonly temporary: number;
    readonly renames?: readonly {
      readonly host_id: string;
      readonly from: string | null;
      readonly to: string;
      readonly temporary: 'no' | 'first' | 'deletion';
    }[];
  }[];
  readonly calls_by_kind?: readonly {
    readonly kind: 'rename' | 'move' | 'delete' | 'install' | 'refresh';
    readonly calls: number;
  }[];
  readonly minimum_calls?: number;
  readonly seconds: { readonly low: number; readonly high: number } | null;
  readonly rehearsal: Rehearsal | null;
  readonly run: string | null;
  readonly undone_by: string | null;
  readonly difference: {
    readonly previous: string;
    readonly added: number;
    readonly removed: number;
    readonly same: number;
  } | null;
  readonly comments: readonly { readonly by: Subject; readonly at: string; readonly text: string }[];
}

export interface Rehearsal {
  readonly state: 'queued' | 'running' | 'done' | 'failed';
  readonly by: Subject;
  readonly asked_at: string;
  readonly ended_at: string | null;
  readonly converged: boolean | null;
  readonly runs: readonly {
    readonly kind: 'without_faults' | 'with_faults';
    readonly converged: boolean;
    readonly steps: {
      readonly total: number;
      readonly done: number;
      readonly failed: number;
      readonly in_doubt: number;
      readonly skipped: number;
    };
    readonly calls: number;
    readonly conflicts: {
      readonly answers: number;
      readonly already: number;
      readonly repeated: number;
      readonly failed: number;
    };
    readonly refusals: number;
    readonly seconds: number;
  }[];
  readonly findings: readonly {
    readonly run: 'without_faults' | 'with_faults';
    readonly severity: 'error' | 'warning' | 'note';
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
  }[];
  readonly more_findings: number;
  readonly failure: { readonly code: string; readonly message: string; readonly hint?: string } | null;
}

export interface PlanRow {
  readonly id: string;
  readonly account: string;
  readonly checksum: string;
  readonly state: 'waiting' | 'approved' | 'running' | 'done' | 'rejected' | 'stale' | 'expired';
  readonly reason: string | null;
  readonly replaced_by: string | null;
  readonly source: string;
  readonly commit: string | null;
  readonly author: string | null;
  readonly pull_request: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly counts: Counts;
  readonly changes: number;
  readonly irreversible: number;
  readonly calls: number;
  readonly required: {
    readonly approvals: number;
    readonly not_author: boolean;
    readonly numbers: readonly { readonly limit: string; readonly value: number; readonly allowed: number }[];
  };
  readonly approvals: readonly Approval[];
  readonly may_approve: { readonly allowed: boolean; readonly reason?: string };
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: string;
  readonly hint?: string;
  readonly place?: SourcePlace;
  readonly problems?: readonly {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly place?: SourcePlace;
  }[];
}

export interface ReasonRequest {
  readonly reason: string;
}

export interface Redriven {
  readonly redriven: number;
}

export interface RejectionRequest {
  readonly checksum: string;
  readonly reason: string;
}

export interface ReviewHost {
  readonly host_id: string;
  readonly name: string;
  readonly new_name: string | null;
  readonly group: string | null;
  readonly new_group: string | null;
  readonly action: readonly ('rename' | 'move' | 'delete' | 'install' | 'refresh')[];
  readonly online: string | null;
  readonly last_seen: string | null;
  readonly reason: string | null;
  readonly place: SourcePlace | null;
  readonly cause: string | null;
  readonly hazards?: readonly string[];
  readonly remarks?: readonly string[];
  readonly order?: string;
  readonly cells?: readonly string[];
  readonly problems?: readonly number[];
}

export interface RolloutDetail {
  readonly id: string;
  readonly name: string;
  readonly state: 'running' | 'waiting' | 'stopped' | 'aborted' | 'done';
  readonly reason: string | null;
  readonly by: Subject | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly wave: number;
  readonly waves: readonly {
    readonly name: string;
    readonly accounts: number;
    readonly done: number;
    readonly failed: number;
    readonly running: number;
    readonly state: 'pending' | 'running' | 'done' | 'stopped';
  }[];
  readonly accounts: readonly {
    readonly account: string;
    readonly wave: number;
    readonly state: string;
    readonly run: string | null;
  }[];
}

export interface RolloutRow {
  readonly id: string;
  readonly name: string;
  readonly state: 'running' | 'waiting' | 'stopped' | 'aborted' | 'done';
  readonly reason: string | null;
  readonly by: Subject | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly wave: number;
  readonly waves: readonly {
    readonly name: string;
    readonly accounts: number;
    readonly done: number;
    readonly failed: number;
    readonly running: number;
    readonly state: 'pending' | 'running' | 'done' | 'stopped';
  }[];
}

export interface RunDetail {
  readonly id: string;
  readonly account: string;
  readonly plan: string | null;
  readonly state: 'queued' | 'running' | 'stopping' | 'done' | 'failed' | 'in_doubt' | 'stopped' | 'crashed';
  readonly by: Subject | null;
  readonly reason: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly exit_code: number | null;
  readonly steps: {
    readonly total: number;
    readonly done: number;
    readonly failed: number;
    readonly in_doubt: number;
    readonly in_progress: number;
    readonly skipped: number;
  };
  readonly installs_in_doubt?: number;
  readonly waits_for?: {
    readonly kind: 'window' | 'pause';
    readonly message: string;
    readonly until?: string;
  } | null;
  readonly override?: { readonly by: Subject; readonly reason: string; readonly at: string } | null;
  readonly by_kind: readonly {
    readonly kind: string;
    readonly total: number;
    readonly done: number;
    readonly failed: number;
    readonly in_doubt: number;
    readonly hosts: number;
    readonly hosts_done: number;
    readonly hosts_failed: number;
    readonly hosts_in_doubt: number;
  }[];
  readonly counts: Counts;
  readonly pace: {
    readonly rate: number;
    readonly limit: number | null;
    readonly rate_limited: number;
    readonly bound?: {
      readonly action: 'rename' | 'move' | 'delete' | 'antivirus' | 'refresh';
      readonly kind: 'pace' | 'refusal' | 'answers';
      readonly allowed: number;
      readonly until?: string;
    };
    readonly curve: { readonly bucket_seconds: number; readonly rate: readonly number[] };
  } | null;
  readonly seconds_left: { readonly low: number; readonly high: number } | null;
  readonly waiting: readonly {
    readonly step: string;
    readonly title: string;
    readonly for: string;
    readonly why?: 'step' | 'phase' | 'pace' | 'back-off' | 'window' | 'pause';
    readonly on?: string;
    readonly until?: string;
    readonly steps?: number;
  }[];
  readonly problems: readonly { readonly code: string; readonly message: string; readonly hint?: string }[];
  readonly audit: string | null;
}

export interface RunEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly step?: string;
  readonly text: string;
}

export interface RunRow {
  readonly id: string;
  readonly account: string;
  readonly plan: string | null;
  readonly state: 'queued' | 'running' | 'stopping' | 'done' | 'failed' | 'in_doubt' | 'stopped' | 'crashed';
  readonly by: Subject | null;
  readonly reason: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly exit_code: number | null;
  readonly steps: {
    readonly total: number;
    readonly done: number;
    readonly failed: number;
    readonly in_doubt: number;
    readonly in_progress: number;
    readonly skipped: number;
  };
  readonly installs_in_doubt?: number;
  readonly waits_for?: {
    readonly kind: 'window' | 'pause';
    readonly message: string;
    readonly until?: string;
  } | null;
  readonly override?: { readonly by: Subject; readonly reason: string; readonly at: string } | null;
}

export interface ServerEvent {
  readonly id: string;
  readonly at: string;
  readonly type:
    | 'account.changed'
    | 'plan.changed'
    | 'run.changed'
    | 'run.event'
    | 'rollout.changed'
    | 'source.changed'
    | 'notification.changed';
  readonly account: string | null;
  readonly resource: string | null;
  readonly data: Readonly<Record<string, string | number | boolean | null>>;
}

export interface Settings {
  readonly sources: readonly SourceRow[];
  readonly notifications: readonly NotificationRow[];
  readonly roles: readonly { readonly group: string; readonly grants: readonly Grant[] }[];
  readonly cadence_seconds: number;
  readonly retention_days: number;
  readonly file: string;
}

export interface SourcePlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface SourceRow {
  readonly name: string;
  readonly kind: 'folder' | 'git';
  readonly location: string;
  readonly ref: string | null;
  readonly commit: string | null;
  readonly fetched_at: string | null;
  readonly allows_scripts: boolean;
  readonly has_webhook: boolean;
  readonly problem: { readonly code: string; readonly message: string; readonly since: string } | null;
}

export interface Subject {
  readonly kind: 'person' | 'token' | 'pipeline' | 'server' | 'operator';
  readonly id: string;
  readonly name: string;
}

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly created_by: Subject;
  readonly created_at: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}
