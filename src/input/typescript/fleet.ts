import type { FleetGroupPolicy, FleetPolicy } from './fleet-policy.ts';
import type { FleetGroup, FleetLimit, FleetTime, Id } from './fleet-values.ts';

/**
 * The shape of a desired state in TypeScript, with the same keys as the YAML file. An attribute that is absent or
 * undefined is not managed.
 */
export interface Fleet {
  readonly version?: 1 | undefined;
  readonly account?: { readonly companyId: Id } | undefined;
  readonly hosts?: readonly FleetHost[] | undefined;
  /** Tables with more hosts: paths relative to the file. */
  readonly hostsFrom?: string | readonly string[] | undefined;
  /** Tables about hosts, such as an asset register, which rules and policies read by their names. */
  readonly tables?: readonly FleetTable[] | undefined;
  /** How entries with a `key` find their hosts, for example after a machine was installed again. */
  readonly identity?: FleetIdentity | undefined;
  /** For each attribute, the first matching rule that sets it wins; an entry overrides every rule. */
  readonly rules?: readonly FleetRule[] | undefined;
  /** What to do with hosts that no entry and no rule claims; they are ignored if absent. */
  readonly unmanaged?: 'ignore' | 'report' | 'forbid' | undefined;
  readonly groups?: readonly FleetGroupPolicy[] | undefined;
  readonly policy?: FleetPolicy | undefined;
  readonly knownDrift?: readonly FleetKnownDrift[] | undefined;
}

interface HostAttributes {
  /** The key of the host, as `identity` reads it of hosts. */
  readonly key?: string | undefined;
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

/** The desired attributes of one host. */
export type FleetHost = HostAttributes & Identified & (PresentHost | AbsentHost);

/** The desired attributes of every host that matches. */
export interface FleetRule {
  readonly name: string;
  /** A CEL expression. */
  readonly when: string;
  readonly group?: FleetGroup | undefined;
  /** A text with CEL expressions in `${…}`. Write it in quotation marks, not in backticks. */
  readonly rename?: string | undefined;
  /** Rename only hosts with a certain key of `identity`, and decide who takes a name that no host has. */
  readonly successor?: FleetIdentity['successor'];
  readonly antivirus?: 'installed' | undefined;
  readonly ensure?: 'present' | 'absent' | undefined;
  /** What to do with these hosts after they have been offline for some time, the shortest time first. */
  readonly stages?: readonly FleetStage[] | undefined;
  readonly source?: FleetPlace | undefined;
}

/** A stage of a rule. `after` is a time offline, such as `90d`. */
export type FleetStage = { readonly after: string } & (
  | { readonly group: FleetGroup; readonly ensure?: undefined }
  | { readonly ensure: 'absent'; readonly group?: undefined }
);

/** How a register divides its rows into pages. */
export interface FleetPaging {
  readonly by: 'offset' | 'page' | 'cursor' | 'link' | 'next' | 'range' | 'none';
  readonly param?: string | undefined;
  readonly sizeParam?: string | undefined;
  readonly size?: number | undefined;
  readonly first?: number | undefined;
  readonly at?: string | undefined;
  readonly total?: string | undefined;
}

/** How hosts are identified by a key in addition to their ids and names. */
export interface FleetIdentity {
  /** A CEL expression: the key of a host. */
  readonly key: string;
  readonly successor?: 'propose' | 'adopt' | 'ignore' | undefined;
  /** The oldest age of the inventory that identifies a host, for example `30d`. */
  readonly maxAge?: string | undefined;
}

/** A table that is joined to hosts by a key. */
export interface FleetTable {
  readonly name: string;
  /** CSV, JSON, or one JSON object a line. The path is relative to the file. */
  readonly file?: string | undefined;
  /** In place of a file: a register, whose address and credentials are in the environment. */
  readonly source?: string | undefined;
  readonly preset?: 'snipe-it' | 'netbox' | 'glpi' | 'servicenow' | 'microsoft-graph' | 'jamf' | undefined;
  readonly path?: string | undefined;
  /** In place of a path: one SELECT statement for PostgreSQL. */
  readonly query?: string | undefined;
  readonly paging?: FleetPaging | undefined;
  /** Where JSON has its list of rows, such as `data.items`. */
  readonly rowsAt?: string | undefined;
  readonly key: string;
  /** A CEL expression: the key of a host. */
  readonly join: string;
  readonly columns?:
    | readonly { readonly name: string; readonly type: 'text' | 'int' | 'number' | 'bool' | 'date' }[]
    | undefined;
  readonly limits?:
    | {
        readonly shrink?: FleetLimit | undefined;
        readonly rows?: number | undefined;
        /** For example `7d`. */
        readonly age?: string | undefined;
      }
    | undefined;
}

/** A difference that someone has reviewed and accepts. */
export interface FleetKnownDrift {
  /** Its id, or its current or intended name. */
  readonly host: Id;
  readonly attributes: readonly ('name' | 'group' | 'antivirus')[];
  readonly reason: string;
  readonly until?: FleetTime | undefined;
}

/**
 * The origin of an entry, such as a row of a sheet. Line and column count from 1; the path is relative to the script.
 */
export interface FleetPlace {
  readonly file: string;
  readonly line: number;
  readonly col?: number | undefined;
}
