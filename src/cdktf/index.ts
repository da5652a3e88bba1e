export { FleetApply, type FleetApplyProps } from './fleet-apply.ts';
