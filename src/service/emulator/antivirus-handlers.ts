import { exactInteger } from '../../core/lib/exact-json.ts';
import { InstallVendorResponseStatus as InstallStatus } from '../contract/antivirus.ts';
import { type EmulatedAnswer, success } from './answer.ts';
import { type StoredHostState, withVendorInstalled } from './fleet-state.ts';
import type { FleetView } from './fleet-store.ts';
import { refuseCount, refuseUnknown, sortIds } from './host-ids.ts';
import { antivirusList } from './list-text.ts';
import type { ActionHandler, EmulatedCall, Service } from './service.ts';

interface Targets {
  readonly targetHostIds: readonly string[];
}

/** Spec section 4, #17. */
export const listAntivirusDetails: ActionHandler = ({ switches }, { view, now }) =>
  success(antivirusList(withFinishedInstalls(view, now), switches.vendorWord));

/** The hosts at this time: an install whose time has passed is done. */
export function withFinishedInstalls(view: FleetView, now: number): FleetView {
  return { ...view, hosts: finished(view.hosts, now) };
}

function* finished(hosts: Iterable<StoredHostState>, now: number): Iterable<StoredHostState> {
  for (const host of hosts) yield withFinishedInstall(host, now);
}

function withFinishedInstall(host: StoredHostState, now: number): StoredHostState {
  const { installEndsAt } = host.antivirus;
  const done = installEndsAt !== null && installEndsAt <= now;
  return done ? { ...host, antivirus: withVendorInstalled(host.antivirus) } : host;
}

/** Spec section 4, #18. */
export const refreshAntivirusStatus: ActionHandler<Targets> = (service, { body }) => {
  const ids = body.targetHostIds;
  const refused = refuseCount(service, ids, 'targetHostIds');
  if (refused !== undefined) return refused;
  const { unknown } = sortIds(service, ids);
  if (unknown.length > 0 && service.switches.refreshOfUnknownHost === 'refused')
    return refuseUnknown(service, unknown);
  const commandStatuses = ids.map((id) => ({
    targetHostId: exactInteger(id),
    sentSuccessfully: service.store.host(id)?.online === true,
  }));
  return success(JSON.stringify({ commandStatuses }));
};

/** Spec section 4, #19: one status for the whole request. */
export const installAntivirus: ActionHandler<Targets> = (service, call) => {
  const { switches } = service;
  const refused = refuseCount(service, call.body.targetHostIds, 'targetHostIds');
  if (refused !== undefined) return refused;
  const { known, unknown } = sortIds(service, call.body.targetHostIds);
  if (unknown.length > 0) return refuseUnknown(service, unknown);

  const hosts = known.map((id) => withFinishedInstall(service.store.host(id) as StoredHostState, call.now));
  const lacking = hosts.filter((host) => !host.antivirus.installed);
  const able = lacking.filter((host) => host.antivirus.supported);
  if (able.length < lacking.length && switches.installUnsupported === 'unavailable')
    return status('Unavailable');
  if (switches.installOffline === 'unavailable' && able.some((host) => !host.online))
    return status('Unavailable');

  const left = quotaLeft(service);
  if (able.length > left) {
    if (switches.quotaRule === 'fills-up') install(service, call, able.slice(0, left));
    return status('QuotaReached');
  }
  install(service, call, able);
  return status(switches.installStatus === 'pending' ? 'Pending' : 'Accepted');
};

function quotaLeft({ switches, installs }: Service): number {
  return switches.antivirusQuota === null
    ? Number.POSITIVE_INFINITY
    : switches.antivirusQuota - installs.size;
}

function install(service: Service, call: EmulatedCall, hosts: readonly StoredHostState[]): void {
  const { store, switches, installs } = service;
  for (const host of hosts) {
    const antivirus =
      switches.installTakesMs === 0
        ? withVendorInstalled(host.antivirus)
        : { ...host.antivirus, installEndsAt: call.now + switches.installTakesMs };
    store.putHost({ ...host, antivirus });
    installs.set(host.id, (installs.get(host.id) ?? 0) + 1);
  }
}

function status(name: keyof typeof InstallStatus): EmulatedAnswer {
  return success(JSON.stringify({ status: InstallStatus[name] }));
}
