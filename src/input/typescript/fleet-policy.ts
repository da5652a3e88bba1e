import type { FleetGroup, FleetLimit, FleetTime } from './fleet-values.ts';

type Unmanaged = 'ignore' | 'report' | 'forbid';
type ChangeKind = 'rename' | 'move' | 'antivirus' | 'delete';
type Limits<Kind extends string> = { readonly [K in Kind]?: FleetLimit | undefined };

/** The limits on what one plan may do. Conditions are CEL expressions. */
export interface FleetPolicy {
  readonly limits?: Limits<ChangeKind | 'missing'> | undefined;
  readonly protect?: readonly FleetProtection[] | undefined;
  readonly deny?: readonly FleetChangePolicy[] | undefined;
  readonly warn?: readonly FleetChangePolicy[] | undefined;
  readonly windows?: readonly FleetWindow[] | undefined;
  readonly freeze?: FleetFreeze | readonly FleetFreeze[] | undefined;
}

export interface FleetProtection {
  readonly name?: string | undefined;
  readonly when: string;
  readonly from: readonly ('delete' | 'rename' | 'move')[];
  readonly message?: string | undefined;
}

export interface FleetChangePolicy {
  readonly name: string;
  readonly when: string;
  readonly message: string;
}

export interface FleetWindow {
  readonly name: string;
  /** For example `Mon-Fri 20:00-06:00 Europe/Berlin`. */
  readonly only: string | readonly string[];
  readonly kinds?: readonly ChangeKind[] | undefined;
  readonly message?: string | undefined;
}

export interface FleetFreeze {
  readonly name?: string | undefined;
  readonly from?: FleetTime | undefined;
  readonly until?: FleetTime | undefined;
  readonly message?: string | undefined;
}

/** A policy for one group as a whole. */
export interface FleetGroupPolicy {
  readonly group: FleetGroup;
  readonly unmanaged?: Unmanaged | undefined;
  readonly exclusive?: boolean | undefined;
  readonly othersTo?: FleetGroup | undefined;
  readonly limits?: Limits<ChangeKind> | undefined;
}
