import type { ShownPlace } from '../../core/problem/problem.ts';
import type { ReviewAction } from '../review/reviewed-host.ts';

/** One host of a plan: the response of the API, and the data of the report. */
export interface ShownHost {
  readonly host_id: string;
  readonly name: string | null;
  readonly new_name: string | null;
  readonly group: string | null;
  readonly new_group: string | null;
  readonly action: readonly ReviewAction[];
  readonly remarks?: readonly string[] | undefined;
  readonly order?: string | undefined;
  /** Positions of the problems that are about this host. */
  readonly problems?: readonly number[] | undefined;
  readonly online: string | null;
  readonly last_seen: string | null;
  readonly reason: string | null;
  readonly place: ShownPlace | null;
  /** The cells of tables that its new name was made of. */
  readonly cells?: readonly string[] | undefined;
}
