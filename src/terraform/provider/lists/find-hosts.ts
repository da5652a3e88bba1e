import { printable } from '../../../core/lib/printable.ts';
import type { ObservedHost } from '../../../core/model/observed.ts';
import { findLiveGroup } from '../../fleet/find-group.ts';
import type { LiveFleet } from '../../fleet/live-fleet.ts';
import type { Diagnostic } from '../../protocol/provider/call.ts';
import type { FoundObject } from '../../protocol/provider/list-resource.ts';
import type { KnownConfigOf } from '../../protocol/schema/values-of.ts';
import { readHostsWhere } from '../data/hosts-where.ts';
import { groupIntentOf } from '../group-intent.ts';
import { foundState } from '../host/found-host.ts';
import type { HostResourceState } from '../host/host-values.ts';
import { type ProviderService, toDiagnostics } from '../service.ts';
import type { hostsListSchema } from './hosts-list-schema.ts';

interface FoundHosts {
  readonly diagnostics: readonly Diagnostic[];
  readonly found?: Iterable<FoundObject<HostResourceState>>;
}

/** The hosts that match every argument, in the order that the service returns. */
export async function findHosts(
  service: ProviderService,
  config: KnownConfigOf<typeof hostsListSchema>,
  { signal }: { readonly signal: AbortSignal },
): Promise<FoundHosts> {
  const { where, name_prefix, online } = config;
  const read = await service.session.observed({ signal });
  if (!read.ok) return { diagnostics: toDiagnostics(read.problems) };
  const fleet = read.value;
  const intent = groupIntentOf(config);
  const group = intent === null ? null : findLiveGroup(fleet, intent);
  if (group?.ok === false)
    return { diagnostics: toDiagnostics(group.problems, [config.group === null ? 'group_id' : 'group']) };
  const chosen = await readHostsWhere(service, where, signal);
  if (!chosen.ok) return { diagnostics: toDiagnostics(chosen.problems, where === null ? [] : ['where']) };
  const hosts = chosen.value.hosts.filter(
    (host) =>
      (group === null || host.groupId === group.value.id) &&
      (name_prefix === null || (host.name ?? '').startsWith(name_prefix)) &&
      (online === null || host.online === online),
  );
  const problems = [...read.problems, ...(group?.problems ?? []), ...chosen.problems];
  return { diagnostics: toDiagnostics(problems), found: statesOf(hosts, fleet) };
}

/** One by one, because the caller may stop at its limit. */
function* statesOf(
  hosts: readonly ObservedHost[],
  fleet: LiveFleet,
): Generator<FoundObject<HostResourceState>> {
  for (const host of hosts) yield { displayName: displayName(host), state: foundState(host, fleet) };
}

const shown = 200;

/** Names are untrusted, and Terraform prints this text. */
function displayName({ id, name }: ObservedHost): string {
  if (name === null) return `host ${id}`;
  const text = printable(name);
  const characters = text.length <= shown ? [text] : [...Array.from(text).slice(0, shown), '…'];
  return characters.join('');
}
