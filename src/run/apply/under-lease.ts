import type { FleetWriter } from '../../service/wire/fleet.ts';
import type { Lease } from '../state/lease/lease.ts';
import { preparingWriter } from './preparing-writer.ts';

/**
 * The same writer, which sends nothing once the run may have lost its lock. A process can be frozen between the record
 * of a step and its call, so the lease is checked when the turn of each request has come.
 */
export function underLease(writer: FleetWriter, lease: Pick<Lease, 'refusal'>): FleetWriter {
  return preparingWriter(writer, (options) => ({
    ...options,
    precondition: () => lease.refusal() ?? options.precondition?.(),
  }));
}
