import type { FleetWriter, WriteOptions } from '../../service/wire/fleet.ts';
import type { Lease } from '../state/lease/lease.ts';

/**
 * The same writer, which sends nothing once the run may have lost its lock. A process can be frozen between the record
 * of a step and its call, so the lease is checked when the turn of each request has come.
 */
export function underLease(writer: FleetWriter, lease: Pick<Lease, 'refusal'>): FleetWriter {
  const fenced = <O extends WriteOptions>(options: O): O => ({
    ...options,
    precondition: () => lease.refusal() ?? options.precondition?.(),
  });
  return {
    rename: (host, name, options = {}) => writer.rename(host, name, fenced(options)),
    move: (group, hosts, options = {}) => writer.move(group, hosts, fenced(options)),
    remove: (hosts, options = {}) => writer.remove(hosts, fenced(options)),
    installAntivirus: (hosts, options = {}) => writer.installAntivirus(hosts, fenced(options)),
    refreshAntivirus: (hosts, options = {}) => writer.refreshAntivirus(hosts, fenced(options)),
  };
}
