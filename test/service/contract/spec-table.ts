import type { Action } from '../../../src/service/contract/api.ts';

export interface SpecRow {
  readonly action: Action;
  readonly number: number | 'authentication check';
  readonly method: string;
  readonly path: string;
  readonly success: number;
  /** What the row itself lists, and what section 7 adds for this action. */
  readonly failures: readonly number[];
  /** Fields of the request's body; null if there is none. */
  readonly request: readonly string[] | null;
}

/** Sections 5 and 7: the possible responses of any action. */
export const failuresOfAll: readonly number[] = [400, 401, 415];

const hardware = '/public-api/v1/inventory/hardware';
const system = '/public-api/v1/inventory/system';

/** Section 4 of the specification, copied by hand: the table that the contract is held against. */
export const specTable: readonly SpecRow[] = [
  row('checkAuthentication', 'authentication check', 'GET', '/public-api/v1/authentication', 200, [], null),
  row('listHosts', 1, 'GET', '/public-api/v2/hosts', 200, [429], null),
  row('listHostsWithGroups', 2, 'GET', '/public-api/v2/hostswithgroups', 200, [429], null),
  row('renameHost', 3, 'PUT', '/public-api/v1/hosts/{host-id}/description', 204, [409], ['newDescription']),
  row('moveHosts', 4, 'PUT', '/public-api/v1/host-groups/{groupid}/hosts', 204, [], ['hostIds']),
  row(
    'connectHost',
    5,
    'POST',
    '/public-api/v1/hosts/{host-id}/connection',
    200,
    [404, 405, 409],
    ['directLink', 'failWhenRaSessionInProgress'],
  ),
  row('deleteHosts', 6, 'DELETE', '/public-api/v1/hosts', 204, [], ['hostIds']),
  row('listHardwareFields', 7, 'GET', `${hardware}/fields`, 200, [], null),
  row('createHardwareReport', 8, 'POST', `${hardware}/reports`, 201, [429], ['fields', 'hostIds']),
  row('readHardwareToken', 9, 'GET', `${hardware}/reports`, 200, [429], null),
  row('readHardwareReport', 10, 'GET', `${hardware}/reports/{report-token}`, 200, [404], null),
  row('listSystemFields', 11, 'GET', `${system}/fields`, 200, [], null),
  row('createSystemReport', 12, 'POST', `${system}/reports`, 201, [429], ['fields', 'hostIds']),
  row('readSystemToken', 13, 'GET', `${system}/reports`, 200, [], null),
  row('readSystemReport', 14, 'GET', `${system}/reports/{report-token}`, 200, [404], null),
  row(
    'listCustomFieldCategories',
    15,
    'GET',
    '/public-api/v1/hosts/custom-fields/categories',
    200,
    [403, 429],
    null,
  ),
  row('listCustomFields', 16, 'GET', '/public-api/v1/hosts/custom-fields', 200, [403, 429], null),
  row('listAntivirusDetails', 17, 'GET', '/public-api/v1/hosts/anti-virus/details', 200, [], null),
  row(
    'refreshAntivirusStatus',
    18,
    'POST',
    '/public-api/v1/anti-virus/actions/refresh-status',
    200,
    [],
    ['targetHostIds'],
  ),
  row(
    'installAntivirus',
    19,
    'POST',
    '/public-api/v1/anti-virus/actions/install-vendor-endpoint-security',
    200,
    [],
    ['targetHostIds'],
  ),
];

function row(
  action: Action,
  number: SpecRow['number'],
  method: string,
  path: string,
  success: number,
  failures: readonly number[],
  request: readonly string[] | null,
): SpecRow {
  return { action, number, method, path, success, failures, request };
}
