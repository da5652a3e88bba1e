/**
 * The calls that a plan may send: all change the fleet but `refresh`, which asks hosts to report. Each has a pace of its
 * own, as the service limits each by itself.
 */
export const writeActions = ['rename', 'move', 'delete', 'antivirus', 'refresh'] as const;
export type WriteAction = (typeof writeActions)[number];
