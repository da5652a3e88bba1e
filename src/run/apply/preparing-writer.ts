import type { WriteAction } from '../../core/model/write-action.ts';
import type { FleetWriter, WriteOptions } from '../../service/wire/fleet.ts';

/** The same writer, which sends each call with the options that `prepare` returns for it. */
export function preparingWriter(
  writer: FleetWriter,
  prepare: (options: WriteOptions, action: WriteAction) => WriteOptions,
): FleetWriter {
  return {
    rename: (host, name, options = {}) => writer.rename(host, name, prepare(options, 'rename')),
    move: (group, hosts, options = {}) => writer.move(group, hosts, prepare(options, 'move')),
    remove: (hosts, options = {}) => writer.remove(hosts, prepare(options, 'delete')),
    installAntivirus: (hosts, options = {}) => writer.installAntivirus(hosts, prepare(options, 'antivirus')),
    refreshAntivirus: (hosts, options = {}) => writer.refreshAntivirus(hosts, prepare(options, 'refresh')),
  };
}
