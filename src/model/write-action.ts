/** The calls that change the fleet. Each has a pace of its own, as the service limits each by itself. */
export const writeActions = ['rename', 'move', 'delete', 'antivirus'] as const;
export type WriteAction = (typeof writeActions)[number];
