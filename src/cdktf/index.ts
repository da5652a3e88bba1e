export { AntivirusCoverage, type AntivirusCoverageProps } from './antivirus-coverage.ts';
export { AntivirusEverywhere } from './aspects/antivirus-everywhere.ts';
export type { GroupRef } from './aspects/group-ref.ts';
export { NamingConvention, type NamingConventionProps } from './aspects/naming-convention.ts';
export { NoDeletions } from './aspects/no-deletions.ts';
export {
  type ProtectedHost,
  ProtectedHosts,
  type ProtectedHostsProps,
} from './aspects/protected-hosts.ts';
export { RequiredGroup, type RequiredGroupProps } from './aspects/required-group.ts';
export { type RuleId, ruleIds } from './aspects/rule-id.ts';
export { suppress } from './aspects/suppress.ts';
export { FleetApply, type FleetApplyLimits, type FleetApplyProps } from './fleet-apply.ts';
export * from './generated/bindings.ts';
export { HostGroup, type HostGroupProps } from './host-group.ts';
export type { IHostGroup } from './host-group-ref.ts';
export type { IManagedHost } from './host-reference.ts';
export {
  type FleetForm,
  ManagedFleet,
  type ManagedFleetOptions,
  type ManagedFleetProps,
} from './managed-fleet.ts';
export { ManagedHost, type ManagedHostProps } from './managed-host.ts';
export { type TerraformMatchers, terraformMatchers } from './terraform-matchers.ts';
