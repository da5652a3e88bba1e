import type { Action } from '../../service/contract/api.ts';

const words: Readonly<Partial<Record<Action, string>>> = {
  listHosts: 'list limit',
  listHostsWithGroups: 'list limit',
  listCustomFields: 'custom-field limit',
  listCustomFieldCategories: 'custom-field limit',
  renameHost: 'rename limit',
  moveHosts: 'move limit',
  deleteHosts: 'delete limit',
  installAntivirus: 'anti-virus limit',
  refreshAntivirusStatus: 'anti-virus limit',
  createHardwareReport: 'report limit',
  createSystemReport: 'report limit',
};

/** A description of the limit of an action. */
export function limitWords(action: string): string {
  return words[action as Action] ?? `limit of ${action}`;
}
