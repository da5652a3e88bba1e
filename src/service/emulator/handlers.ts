import type { z } from 'zod';
import { success } from './answer.ts';
import { installAntivirus, listAntivirusDetails, refreshAntivirusStatus } from './antivirus-handlers.ts';
import type { EmulatedAction } from './emulated-action.ts';
import {
  answerHostList,
  connectHost,
  deleteHosts,
  listHostsV1,
  listHostsWithGroups,
  moveHosts,
  renameHost,
} from './host-handlers.ts';
import { categoryList, customFieldList } from './list-text.ts';
import { reportHandlers } from './report-handlers.ts';
import type { requestBodies } from './request-body.ts';
import type { ActionHandler } from './service.ts';

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
