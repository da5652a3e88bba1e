/**
 * The calls that a plan may send. All change the fleet except `refresh`, which asks hosts to report. Each has its own
 * pace, because the service limits each separately.
 */
export const writeActions = ['rename', 'move', 'delete', 'antivirus', 'refresh'] as const;
export type WriteAction = (typeof writeActions)[number];

export const noCalls: Readonly<Record<WriteAction, number>> = {
  rename: 0,
  move: 0,
  delete: 0,
  antivirus: 0,
  refresh: 0,
};
