import { isObject } from '../../core/lib/json-object.ts';
import type { Clock } from '../../core/lib/surroundings.ts';
import {
  type AntivirusDetails,
  type AntivirusFact,
  type HostId,
  type ListRead,
  type UnreadableHost,
  unreadableAntivirus,
} from '../../core/model/observed.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import type { BodyReader, CallOptions, Client } from '../client/client.ts';
import { AvStatus, antivirusHost } from '../contract/antivirus.ts';
import type { ResponseBody } from '../contract/api.ts';
import { checkIds } from './check-ids.ts';
import { rightProblem } from './right-problem.ts';
import { salvageItems } from './salvage-hosts.ts';

export interface ListOptions extends Pick<CallOptions, 'signal' | 'stop' | 'maxWaitMs'> {
  readonly clock: Clock;
}

export interface AntivirusList {
  readonly read: ListRead;
  /** Without hosts that are missing from the list or whose entry can't be read. */
  readonly facts: ReadonlyMap<HostId, AntivirusFact>;
  readonly unreadable: readonly UnreadableHost[];
}

interface ListedHosts {
  readonly hosts: readonly AntivirusHost[];
  readonly unreadable: readonly UnreadableHost[];
}

/** A malformed entry makes the facts of that host unknown, but does not make the list unreadable. */
const listReader: BodyReader<ResponseBody<'listAntivirusDetails'>, ListedHosts> = {
  fast: () => undefined,
  full: ({ hosts }) => ({ hosts, unreadable: [] }),
  salvage: (body) =>
    isObject(body) && Array.isArray(body['hosts'])
      ? salvageItems(body['hosts'], antivirusHost(), { id: 'hostId', name: 'hostDescription' })
      : undefined,
};

/** The anti-virus list by itself (specification section 4, #17). */
export async function readAntivirus(
  client: Client,
  { clock, ...options }: ListOptions,
): Promise<Result<AntivirusList>> {
  const answer = await client.callFor('listAntivirusDetails', listReader, options);
  if (!answer.ok) return failed(rightProblem(answer.failure, 'read the anti-virus list'));
  const { hosts, unreadable } = answer.value;
  const ids = [...hosts.map(({ hostId }) => hostId), ...unreadable.flatMap(({ id }) => id ?? [])];
  const problems = checkIds(ids, 'host', 'anti-virus list');
  if (problems.length > 0) return failed(...problems);
  const at = new Date(clock.now()).toISOString();
  const facts = new Map(hosts.map(fromAntivirusHost));
  return ok(
    { read: { list: 'antivirus-details', at }, facts, unreadable },
    unreadable.map(unreadableAntivirus),
  );
}

type AntivirusHost = ResponseBody<'listAntivirusDetails'>['hosts'][number];

function fromAntivirusHost(host: AntivirusHost): readonly [HostId, AntivirusFact] {
  return [
    host.hostId as HostId,
    {
      installed: host.hasVendorInstalled,
      supported: host.vendorInstallSupported,
      details: detailsOf(host),
    },
  ];
}

function detailsOf(host: AntivirusHost): AntivirusDetails {
  return {
    product: host.antiVirusName ?? null,
    status: statusWord(host.antiVirusStatus ?? null),
    realTimeProtection: host.isRealTimeProtectionOn ?? null,
    definitionsUpToDate: host.isVirusDefinitionUpToDate ?? null,
    definitionVersion: host.virusDefinitionVersion ?? null,
    lastFullScan: host.lastFullScanTime ?? null,
    threats: host.numberOfThreats ?? null,
    several: host.isMultipleAntiVirusDetected ?? null,
    build: host.buildNumber ?? null,
    mac: host.isMac ?? null,
  };
}

/** Spec section 2, enumerations. */
const statusWords: ReadonlyMap<number, string> = new Map([
  [AvStatus.ActionRequired, 'action-required'],
  [AvStatus.Warning, 'warning'],
  [AvStatus.Unknown, 'unknown'],
  [AvStatus.Ok, 'ok'],
  [AvStatus.FreeOk, 'free-ok'],
  [AvStatus.PartialOk, 'partial-ok'],
]);

/** A number that the service may add later is kept as a number, such as `status 7`. */
function statusWord(status: number | null): string | null {
  return status === null ? null : (statusWords.get(status) ?? `status ${status}`);
}
