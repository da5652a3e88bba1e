import type { FleetGroupPolicy, FleetPolicy } from './fleet-policy.ts';
import type { FleetGroup, FleetTime, Id } from './fleet-values.ts';

/**
 * The shape of a desired state in TypeScript: that of the YAML file, key by key. An attribute that is absent, or
 * undefined, is not managed.
 */
export interface Fleet {
  readonly version?: 1 | undefined;
  readonly account?: { readonly companyId: Id } | undefined;
  readonly hosts?: readonly FleetHost[] | undefined;
  /** Tables of more hosts: paths relative to the file. */
  readonly hostsFrom?: string | readonly string[] | undefined;
  /** The first that matches a host and sets an attribute wins; an entry beats every rule. */
  readonly rules?: readonly FleetRule[] | undefined;
  /** Hosts that no entry and no rule claims: left alone when absent. */
  readonly unmanaged?: 'ignore' | 'report' | 'forbid' | undefined;
  readonly groups?: readonly FleetGroupPolicy[] | undefined;
  readonly policy?: FleetPolicy | undefined;
  readonly knownDrift?: readonly FleetKnownDrift[] | undefined;
}

interface HostAttributes {
  readonly current?: string | undefined;
  readonly previously?: string | readonly string[] | undefined;
  readonly protect?: readonly ('delete' | 'rename' | 'move')[] | undefined;
  readonly ignore?: readonly ('name' | 'group' | 'antivirus')[] | undefined;
  readonly source?: FleetPlace | undefined;
}

interface PresentHost {
  readonly ensure?: 'present' | undefined;
  readonly group?: FleetGroup | undefined;
  readonly antivirus?: 'installed' | undefined;
}

interface AbsentHost {
  readonly ensure: 'absent';
  readonly deleteAfter?: FleetTime | undefined;
}

type Identified =
  | { readonly id: Id; readonly name?: string | undefined }
  | { readonly id?: Id | undefined; readonly name: string };

/** What one host is to be like. */
export type FleetHost = HostAttributes & Identified & (PresentHost | AbsentHost);

/** What every host of a kind is to be like. */
export interface FleetRule {
  readonly name: string;
  /** A CEL expression. */
  readonly when: string;
  readonly group?: FleetGroup | undefined;
  /** A text with `${…}` in it, each a CEL expression: write it in quotation marks, not in backticks. */
  readonly rename?: string | undefined;
  readonly antivirus?: 'installed' | undefined;
  readonly ensure?: 'present' | 'absent' | undefined;
  readonly source?: FleetPlace | undefined;
}

/** A difference that someone has reviewed and accepts. */
export interface FleetKnownDrift {
  /** Its id, or a name that it has or is to have. */
  readonly host: Id;
  readonly attributes: readonly ('name' | 'group' | 'antivirus')[];
  readonly reason: string;
  readonly until?: FleetTime | undefined;
}

/** Where an entry came from, such as a row of a sheet: line and column count from 1, the path is relative to the script. */
export interface FleetPlace {
  readonly file: string;
  readonly line: number;
  readonly col?: number | undefined;
}
