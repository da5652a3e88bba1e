import { isInt64 } from '../../core/lib/int64.ts';
import { type EmulatedAnswer, noContent, refusal, success } from './answer.ts';
import { type StoredHostState, ungrouped } from './fleet-state.ts';
import { refuseCount, refuseUnknown, sortIds } from './host-ids.ts';
import { hostListText } from './list-text.ts';
import type { ActionHandler, Service } from './service.ts';

/** Spec section 4, #1, and its older form. */
export const answerHostList: ActionHandler = ({ switches }, { view }) =>
  success(hostListText(view, { groups: false, extras: switches.hostExtras }));

export const listHostsV1: ActionHandler = (_, { view }) =>
  success(hostListText(view, { groups: false, extras: false }));

/** Spec section 4, #2. */
export const listHostsWithGroups: ActionHandler = ({ switches }, { view }) =>
  success(hostListText(view, { groups: true, extras: switches.hostExtras }));

/** Spec section 4, #3. */
export const renameHost: ActionHandler<{ readonly newDescription: string }> = (
  service,
  { parameters, body },
) => {
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
export const moveHosts: ActionHandler<HostIds> = (service, { parameters, body }) => {
  const { store, switches } = service;
  const groupId = parameters['groupid'] ?? '';
  const isGroup =
    groupId === ungrouped ? switches.moveToUngrouped === 'accepted' : store.group(groupId) !== undefined;
  if (!isGroup) return refusal(400, 'Invalid parameter: group id.');
  return forEachHost(service, body.hostIds, (host) => store.putHost({ ...host, groupId }));
};

/** Spec section 4, #6. */
export const deleteHosts: ActionHandler<HostIds> = (service, { body }) =>
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
export const connectHost: ActionHandler<ConnectionRequest> = (service, { parameters, body }) => {
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
