/**
 * The calls that a plan may send. All change the fleet except `refresh`, which asks hosts to report. Each has its own
 * pace, because the service limits each separately.
 */
export const writeActions = ['rename', 'move', 'delete', 'antivirus', 'refresh'] as const;
export type WriteAction = (typeof writeActions)[number];
