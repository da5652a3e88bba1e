import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import { endpoint } from './endpoint.ts';
import { commonErrors, errorBody, rateLimitError } from './error-body.ts';
import { int64 } from './integer.ts';

/** A host in the list (specification section 2). The last two fields are not in the spec; live services send them. */
export const listedHost = once(() =>
  z.looseObject({
    description: z.string().nullable(),
    id: int64(),
    isHostOnline: z.boolean(),
    hostName: z.string().nullish(),
    hostStateChangeDate: z.string().nullish(),
  }),
);

export const listedHostWithGroup = once(() => listedHost().extend({ groupid: int64() }));

export const listedGroup = once(() => z.looseObject({ id: int64(), name: z.string().nullable() }));

const hostIds = once(() => z.object({ hostIds: z.array(int64()) }));

const connectionError = (meaning: string) => ({ meaning, body: errorBody });

export const hostEndpoints = {
  listHosts: endpoint({
    method: 'GET',
    path: '/public-api/v2/hosts',
    parameters: {},
    request: null,
    responses: {
      200: {
        meaning: 'all hosts that the profile can access',
        body: once(() => z.looseObject({ hosts: z.array(listedHost()) })),
      },
      ...commonErrors,
      ...rateLimitError,
    },
    rateLimited: true,
    repetition: 'read',
    spec: 'section 4, #1',
    summary: 'List the hosts.',
  }),
  listHostsWithGroups: endpoint({
    method: 'GET',
    path: '/public-api/v2/hostswithgroups',
    parameters: {},
    request: null,
    responses: {
      200: {
        meaning: 'all groups, and all hosts with the group each is in',
        body: once(() =>
          z.looseObject({ groups: z.array(listedGroup()), hosts: z.array(listedHostWithGroup()) }),
        ),
      },
      ...commonErrors,
      ...rateLimitError,
    },
    rateLimited: true,
    repetition: 'read',
    spec: 'section 4, #2',
    summary: 'List the groups, and the hosts with the group of each.',
  }),
  renameHost: endpoint({
    method: 'PUT',
    path: '/public-api/v1/hosts/{host-id}/description',
    parameters: { 'host-id': int64 },
    request: once(() => z.object({ newDescription: z.string() })),
    responses: {
      204: { meaning: 'renamed', body: null },
      ...commonErrors,
      400: { meaning: 'the id or the string is invalid', body: errorBody },
      409: { meaning: 'the description is already in use', body: errorBody },
    },
    rateLimited: false,
    repetition: 'absolute',
    spec: 'section 4, #3',
    summary: 'Rename a host.',
  }),
  moveHosts: endpoint({
    method: 'PUT',
    path: '/public-api/v1/host-groups/{groupid}/hosts',
    parameters: { groupid: int64 },
    request: hostIds,
    responses: { 204: { meaning: 'moved', body: null }, ...commonErrors },
    rateLimited: false,
    repetition: 'absolute',
    spec: 'section 4, #4',
    summary: 'Move hosts to a group.',
  }),
  connectHost: endpoint({
    method: 'POST',
    path: '/public-api/v1/hosts/{host-id}/connection',
    parameters: { 'host-id': int64 },
    request: once(() => z.object({ directLink: z.boolean(), failWhenRaSessionInProgress: z.boolean() })),
    responses: {
      200: {
        meaning: 'a ticket for one connection',
        body: once(() => z.looseObject({ gatewayUrl: z.string(), sessionTicketId: int64() })),
      },
      ...commonErrors,
      404: connectionError('the host does not exist or belongs to another company'),
      405: connectionError('the host is offline'),
      409: connectionError('a session is in progress and failWhenRaSessionInProgress is true'),
    },
    rateLimited: false,
    repetition: 'never',
    spec: 'section 4, #5',
    summary: 'Request a connection ticket for a host.',
  }),
  deleteHosts: endpoint({
    method: 'DELETE',
    path: '/public-api/v1/hosts',
    parameters: {},
    request: hostIds,
    responses: { 204: { meaning: 'deleted', body: null }, ...commonErrors },
    rateLimited: false,
    repetition: 'absent-is-done',
    spec: 'section 4, #6',
    summary: "Delete hosts. This can't be undone.",
  }),
} as const;
