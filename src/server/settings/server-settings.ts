import type { AccountConfig } from '../../accounts/config/account-config.ts';
import type { LocalSource } from '../../accounts/config/read-token.ts';
import type { SettingValue } from '../../accounts/config/setting.ts';
import type { Freeze, WindowPolicy } from '../../core/model/policy.ts';
import type { Place } from '../../core/problem/problem.ts';
import { type ForgeKind, forgeKinds } from '../../forge/forge.ts';
import type { ForgeAddress } from '../../forge/forge-address.ts';
import type { approvalRule, loginSettings, pipelineSettings, reviewerSettings } from './access-settings.ts';
import type { AllowedAddressSetting, listenAddress } from './setting-values.ts';

/** `server:` of rampart.config.yaml with the defaults filled in, and the accounts of the same file. */
export interface ServerSettings {
  /** The folder of rampart.config.yaml, absolute. Files of secrets are relative to it. */
  readonly folder: string;
  readonly accounts: readonly AccountConfig[];
  /** Every label that any account has. */
  readonly labels: ReadonlySet<string>;
  /** The address at which people reach the server, without a slash at the end; undefined: the address it listens on. */
  readonly url?: string;
  readonly listen: SettingValue<typeof listenAddress>;
  /** The folder of the embedded database and of what sources fetched, absolute. */
  readonly data: string;
  /** The time between two checks of an account, in milliseconds. */
  readonly cadenceMs: number;
  /** Without `sources:` it is one, named `files`: the folder of rampart.config.yaml. */
  readonly sources: readonly SourceSettings[];
  /** The registers over the network that desired states may read. */
  readonly registers: readonly RegisterSource[];
  readonly login?: LoginSettings;
  /** Pipelines that may exchange their OIDC token for one of the server. */
  readonly pipelines: readonly PipelineSettings[];
  readonly approvals: readonly ApprovalRule[];
  /** People who approve plans by comments on pull requests. */
  readonly reviewers?: readonly ReviewerSettings[];
  /** Hours and freezes of the server, in addition to those of accounts and desired states. */
  readonly windows: readonly WindowPolicy[];
  readonly freezes: readonly Freeze[];
  /** What happens to a run when a window closes or a freeze begins: it waits at a safe point, or ends there. */
  readonly overrun: Overrun;
  readonly notifications: readonly NotificationSettings[];
  /** How long runs, decided plans, events and history are kept, in milliseconds. */
  readonly retentionMs: number;
  /** Private addresses that sources, notifications and Vault may reach, such as `10.0.0.0/8` or `git.internal`. */
  readonly allow: readonly AllowedAddressSetting[];
  readonly metrics: MetricsSettings;
}

export type SourceSettings = FolderSource | GitSource;

interface SourceCommon {
  readonly name: string;
  /** Whether `.ts` and `.js` files of this source run. */
  readonly allowsScripts: boolean;
  readonly place: Place;
}

export interface FolderSource extends SourceCommon {
  readonly kind: 'folder';
  /** Absolute. */
  readonly folder: string;
}

export interface GitSource extends SourceCommon {
  readonly kind: 'git';
  /** `https://…` or `ssh://…`, without user information that is a secret. */
  readonly git: string;
  /** A branch, a tag or a full ref name. */
  readonly ref: string;
  /** The folder in the repository, with forward slashes; empty: its root. */
  readonly path: string;
  readonly token?: LocalSource;
  /** For `ssh`: the only key that is offered, and the only host keys that are accepted. */
  readonly ssh?: SshFiles;
  readonly webhookSecret?: LocalSource;
  /** The place where the states of plans, replies to comments and pull requests are written. */
  readonly forge?: ForgeSettings;
  /** The comments on pull requests that the server acts on and replies to. */
  readonly commands: SourceCommands;
}

export interface RegisterSource {
  readonly name: string;
  /** The sources whose desired states may read it; absent if the server has only one. */
  readonly sources?: readonly string[];
  /** How long one read serves all accounts, in milliseconds; the cadence if absent. */
  readonly everyMs?: number;
  readonly place: Place;
}

/** Absolute paths. */
export interface SshFiles {
  readonly key: string;
  readonly knownHosts: string;
}

export interface ForgeSettings extends ForgeAddress {
  readonly token: LocalSource;
}

/** A source whose forge receives reports about plans and comments. The other forges receive only pull requests. */
export type ReportedSource = GitSource & { readonly forge: ForgeSettings & { readonly kind: ForgeKind } };

export function isReported(source: SourceSettings): source is ReportedSource {
  return source.kind === 'git' && forgeKinds.some((kind) => kind === source.forge?.kind);
}

/**
 * `all`: decisions about plans, and at GitLab all other commands, too. `approvals`: only decisions. `none`: another server
 * has the repository.
 */
export const sourceCommands = ['all', 'approvals', 'none'] as const;
export type SourceCommands = (typeof sourceCommands)[number];

export type LoginSettings = SettingValue<ReturnType<typeof loginSettings>>;
export type RoleRule = LoginSettings['roles'][number];
export type PipelineSettings = SettingValue<ReturnType<typeof pipelineSettings>>;

/** All rules that select an account hold together: the highest number, and the shortest time. */
export type ApprovalRule = SettingValue<ReturnType<typeof approvalRule>>;

/** A person who approves plans by comments on pull requests, as an approver of the accounts that `where` selects. */
export type ReviewerSettings = SettingValue<ReturnType<typeof reviewerSettings>>;

export type Overrun = 'pause' | 'end';

export const notificationKinds = [
  'drifted',
  'waiting',
  'expiring',
  'applied',
  'failed',
  'failing',
  'recovered',
  'in_doubt',
  'rollout',
  'source',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export type NotificationSettings = WebNotification | MailNotification;

interface NotificationCommon {
  /** A CEL expression over labels and `name`; all accounts without it. */
  readonly where?: string;
  readonly name: string;
  readonly kinds: readonly NotificationKind[];
  /** Messages of this time, in milliseconds, are sent as one; null: each at once. */
  readonly digestMs: number | null;
  readonly place: Place;
}

export interface WebNotification extends NotificationCommon {
  readonly kind: 'slack' | 'teams' | 'webhook';
  /** Addresses of webhooks are secrets. */
  readonly url: LocalSource;
  /** Signs the messages of a generic webhook (HMAC-SHA256). */
  readonly secret?: LocalSource;
}

export interface MailNotification extends NotificationCommon {
  readonly kind: 'email';
  readonly smtp: SmtpSettings;
  readonly from: string;
  readonly to: readonly string[];
}

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user?: string;
  readonly password?: LocalSource;
}

export interface MetricsSettings {
  /** The label of accounts that splits the metrics of accounts; undefined: not split. */
  readonly label?: string;
  readonly place?: Place;
}
