import type { z } from 'zod';
import { isInt64 } from '../../core/lib/int64.ts';
import { type EmulatedAnswer, noContent, refusal, success } from './answer.ts';
import { installAntivirus, listAntivirusDetails, refreshAntivirusStatus } from './antivirus-handlers.ts';
import type { EmulatedAction } from './emulated-action.ts';
import { type StoredHostState, ungrouped } from './fleet-state.ts';
import { refuseCount, refuseUnknown, sortIds } from './host-ids.ts';
import { categoryList, customFieldList, hostListText } from './list-text.ts';
import { reportHandlers } from './report-handlers.ts';
import type { requestBodies } from './request-body.ts';
import type { ActionHandler, Service } from './service.ts';

/** Spec section 4, #1, and its older form. */
const answerHostList: ActionHandler = ({ switches }, { view }) =>
  success(hostListText(view, { groups: false, extras: switches.hostExtras }));

const listHostsV1: ActionHandler = (_, { view }) =>
  success(hostListText(view, { groups: false, extras: false }));

/** Spec section 4, #2. */
const listHostsWithGroups: ActionHandler = ({ switches }, { view }) =>
  success(hostListText(view, { groups: true, extras: switches.hostExtras }));

/** Spec section 4, #3. */
const renameHost: ActionHandler<{ readonly newDescription: string }> = (service, { parameters, body }) => {
  const { store, switches } = service;
  const id = parameters['host-id'] ?? '';
  const host = store.host(id);
  if (host === undefined)
    return isInt64(id) ? refuseUnknown(service, [id]) : refusal(400, 'Invalid parameter: host id.');
  const name = switches.trimDescription ? body.newDescription.trim() : body.newDescription;
  if (!isValidName(service, name)) return refusal(400, 'Invalid parameter: newDescription.');
  if (isTaken(service, host, name)) return refusal(409, 'The description is already in use.');
  store.putHost({ ...host, name });
  return noContent;
};

function isValidName({ switches }: Service, name: string): boolean {
  if (name.trim() === '' && switches.blankDescription === 'refused') return false;
  return switches.maxDescriptionLength === null || name.length <= switches.maxDescriptionLength;
}

function isTaken({ store, switches }: Service, host: StoredHostState, name: string): boolean {
  return store.namesakes(name).some((other) => {
    if (other.id !== host.id) return switches.nameConflict === 'any-case' || other.name === name;
    return (other.name === name ? switches.renameToOwnName : switches.caseOnlyRename) === 'conflicts';
  });
}

interface HostIds {
  readonly hostIds: readonly string[];
}

/** Spec section 4, #4. */
const moveHosts: ActionHandler<HostIds> = (service, { parameters, body }) => {
  const { store, switches } = service;
  const groupId = parameters['groupid'] ?? '';
  const isGroup =
    groupId === ungrouped ? switches.moveToUngrouped === 'accepted' : store.group(groupId) !== undefined;
  if (!isGroup) return refusal(400, 'Invalid parameter: group id.');
  return forEachHost(service, body.hostIds, (host) => store.putHost({ ...host, groupId }));
};

/** Spec section 4, #6. */
const deleteHosts: ActionHandler<HostIds> = (service, { body }) =>
  forEachHost(service, body.hostIds, (host) => service.store.removeHost(host.id));

function forEachHost(
  service: Service,
  ids: readonly string[],
  act: (host: StoredHostState) => void,
): EmulatedAnswer {
  const refused = refuseCount(service, ids, 'hostIds');
  if (refused !== undefined) return refused;
  const { known, unknown } = sortIds(service, ids);
  if (unknown.length === 0 || service.switches.badIds === 'rest-done') {
    for (const id of known) act(service.store.host(id) as StoredHostState);
  }
  return unknown.length === 0 ? noContent : refuseUnknown(service, unknown);
}

interface ConnectionRequest {
  readonly directLink: boolean;
  readonly failWhenRaSessionInProgress: boolean;
}

/** Spec section 4, #5. */
const connectHost: ActionHandler<ConnectionRequest> = (service, { parameters, body }) => {
  const { store, switches } = service;
  const id = parameters['host-id'] ?? '';
  if (!isInt64(id)) return refusal(400, 'Invalid parameter: host id.');
  const refuse = (status: number, message: string): EmulatedAnswer =>
    refusal(status, message, { contentType: `${switches.connectionErrorType}; charset=utf-8` });
  const host = store.host(id);
  if (host === undefined) return refuse(404, 'The host does not exist.');
  if (!host.online) return refuse(405, 'The host is offline.');
  if (host.inSession && body.failWhenRaSessionInProgress) return refuse(409, 'A session is in progress.');
  if (switches.connectionStartsSession && !host.inSession) store.putHost({ ...host, inSession: true });
  service.tickets += 1;
  const ticket = 1_000_000 + service.tickets;
  const way = body.directLink ? 'direct' : 'gateway';
  return success(
    JSON.stringify({
      gatewayUrl: `https://${way}.example.invalid/connect/${ticket}`,
      sessionTicketId: ticket,
    }),
  );
};

/** Spec section 4, #15. */
const listCustomFieldCategories: ActionHandler = ({ categories }) => success(categoryList(categories));

/** Spec section 4, #16. */
const listCustomFields: ActionHandler = ({ switches }, { view }) =>
  success(customFieldList(view, { emptyToo: switches.hostsWithoutCustomFields === 'listed' }));

const hardware = reportHandlers('hardware');
const system = reportHandlers('system');

type BodyOf<A> = A extends keyof typeof requestBodies ? z.output<(typeof requestBodies)[A]> : unknown;

/** The handlers of all actions, called after route, credentials, headers, limit and body are checked. */
export const handlers: { readonly [A in EmulatedAction]: ActionHandler<BodyOf<A>> } = {
  checkAuthentication: () => success('{"success":true}'),
  listHosts: answerHostList,
  listHostsV1,
  listHostsWithGroups,
  renameHost,
  moveHosts,
  connectHost,
  deleteHosts,
  listHardwareFields: hardware.listFields,
  createHardwareReport: hardware.createReport,
  readHardwareToken: hardware.readToken,
  readHardwareReport: hardware.readReport,
  listSystemFields: system.listFields,
  createSystemReport: system.createReport,
  readSystemToken: system.readToken,
  readSystemReport: system.readReport,
  listCustomFieldCategories,
  listCustomFields,
  listAntivirusDetails,
  refreshAntivirusStatus,
  installAntivirus,
};
