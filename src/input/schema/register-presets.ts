import type { HttpRequest, Paging } from '../../core/model/register-request.ts';

type Preset = Pick<HttpRequest, 'path' | 'rowsAt'> & { readonly paging: Paging };

/** The computers in the API of each product, as its documentation describes it. */
export const registerPresets = {
  'snipe-it': {
    path: '/api/v1/hardware?sort=id&order=asc',
    rowsAt: 'rows',
    paging: { by: 'offset', param: 'offset', sizeParam: 'limit', size: 500, first: 0, total: 'total' },
  },
  netbox: {
    path: '/api/dcim/devices/',
    rowsAt: 'results',
    paging: { by: 'offset', param: 'offset', sizeParam: 'limit', size: 500, first: 0, total: 'count' },
  },
  glpi: {
    path: '/apirest.php/Computer?expand_dropdowns=true',
    paging: { by: 'range', param: 'range', size: 500, first: 0 },
  },
  servicenow: {
    path: '/api/now/table/cmdb_ci_computer?sysparm_display_value=true&sysparm_query=ORDERBYsys_id',
    rowsAt: 'result',
    paging: {
      by: 'offset',
      param: 'sysparm_offset',
      sizeParam: 'sysparm_limit',
      size: 1000,
      first: 0,
      total: 'header:X-Total-Count',
    },
  },
  'microsoft-graph': {
    path: '/v1.0/deviceManagement/managedDevices',
    rowsAt: 'value',
    paging: { by: 'next', param: '', size: 0, first: 0, at: '@odata.nextLink' },
  },
  jamf: {
    path: '/api/v1/computers-inventory?section=GENERAL&section=HARDWARE&sort=id:asc',
    rowsAt: 'results',
    paging: { by: 'page', param: 'page', sizeParam: 'page-size', size: 200, first: 0, total: 'totalCount' },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export const presetNames = Object.keys(registerPresets) as readonly (keyof typeof registerPresets)[];
