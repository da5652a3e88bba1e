import type { Limits, WindowPolicy } from '../../core/model/policy.ts';
import type { TicketRule } from '../../core/model/ticket-rule.ts';
import type { Place } from '../../core/problem/problem.ts';
import type { Aliases } from '../../service/client/aliases.ts';

/** What Rampart does with differences by itself: reports them, plans and waits for approval, or applies within limits. */
export const accountModes = ['observe', 'propose', 'correct'] as const;
export type AccountMode = (typeof accountModes)[number];

/** The location of a key; never the key. */
export type KeySource =
  | { readonly kind: 'variable'; readonly variable: string }
  | { readonly kind: 'file'; readonly file: string }
  /** A program and its arguments, run without a shell; its output is the key. Only if the operator allows commands. */
  | { readonly kind: 'command'; readonly command: readonly string[] }
  | { readonly kind: 'vault'; readonly vault: VaultSecret }
  | { readonly kind: 'session'; readonly sessionIdVariable: string; readonly profileIdVariable: string };

/** A field of a secret in the KV version 2 engine of HashiCorp Vault or OpenBao. */
export interface VaultSecret {
  /** The origin of the server; it must be pinned as the origin of the service must be. */
  readonly address: string;
  /** The mount of the engine, such as `secret`. */
  readonly mount: string;
  readonly path: string;
  readonly field: string;
  readonly namespace?: string;
  readonly login: VaultLogin;
}

export type VaultLogin =
  | { readonly kind: 'token'; readonly variable: string }
  | { readonly kind: 'token-file'; readonly file: string }
  /** A JSON Web Token, from a variable or a file, for a role of the JWT method at `mount`. */
  | { readonly kind: 'jwt'; readonly mount: string; readonly role: string; readonly token: KeySource };

/** One account of `rampart.config.yaml`, with the defaults filled in. */
export interface AccountConfig {
  readonly name: string;
  readonly baseUrl?: string;
  readonly companyId?: string;
  readonly auth?: 'basic' | 'json';
  readonly key?: KeySource;
  /** Desired-state files and folders, relative to the folder of the configuration: shared ones, then its own. */
  readonly files: readonly string[];
  /** The source of `server:` that has the files; its only source if absent. */
  readonly source?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Every label that any account has. */
  readonly configuredLabels: ReadonlySet<string>;
  readonly mode: AccountMode;
  /** The operator's limits. The stricter of these and those of the desired state holds. */
  readonly limits: Partial<Limits>;
  /** The operator's windows, in addition to those of the desired state. */
  readonly windows: readonly WindowPolicy[];
  /** The change ticket that each apply must name; none if absent. */
  readonly ticket?: TicketRule;
  readonly place: Place;
  /** Where each setting was written; the label, limit or file after a dot, such as `labels.region`. */
  readonly places: Readonly<Record<string, Place>>;
  readonly aliases: Aliases;
  /** The configuration comes from the commit that the operator named, so its addresses and keys are trusted. */
  readonly isReviewed: boolean;
}
