import type { AccountConfig } from '../../src/accounts/config/account-config.ts';

/** An account without files, labels and limits, as the configuration reader returns it. */
export const givenAccountConfig = (parts: Partial<AccountConfig> = {}): AccountConfig => ({
  name: 'berlin',
  companyId: '1000',
  files: [],
  labels: {},
  configuredLabels: new Set(),
  mode: 'observe',
  limits: {},
  windows: [],
  place: { file: 'rampart.config.yaml', line: 1, col: 1 },
  places: {},
  aliases: {},
  isReviewed: false,
  ...parts,
});
