/** The name of a rule in messages and suppressions. */
export const ruleIds = [
  'rampart:naming-convention',
  'rampart:protected-hosts',
  'rampart:no-deletions',
  'rampart:required-group',
  'rampart:antivirus-everywhere',
] as const;

export type RuleId = (typeof ruleIds)[number];
