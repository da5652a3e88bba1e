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
export { HostGroup, type HostGroupProps } from './host-group.ts';
export type { IHostGroup } from './host-group-ref.ts';
export type { IManagedHost } from './host-reference.ts';
export { EphemeralConnectionTicket, type EphemeralConnectionTicketConfig } from './l1/connection-ticket.ts';
export { DataRampartAntivirus, type DataRampartAntivirusConfig } from './l1/data-antivirus.ts';
export {
  DataRampartCustomFieldCategories,
  type DataRampartCustomFieldCategoriesConfig,
} from './l1/data-custom-field-categories.ts';
export {
  DataRampartCustomFieldValues,
  type DataRampartCustomFieldValuesConfig,
} from './l1/data-custom-field-values.ts';
export { DataRampartGroups, type DataRampartGroupsConfig } from './l1/data-groups.ts';
export { DataRampartHost, type DataRampartHostConfig } from './l1/data-host.ts';
export { DataRampartHosts, type DataRampartHostsConfig } from './l1/data-hosts.ts';
export {
  DataRampartHardwareInventory,
  type DataRampartInventoryConfig,
  DataRampartSystemInventory,
} from './l1/data-inventory.ts';
export { Fleet, type FleetConfig } from './l1/fleet.ts';
export type {
  FleetChangeBlock,
  FleetFreezeBlock,
  FleetGroupBlock,
  FleetHostBlock,
  FleetLimitsBlock,
  FleetPolicyBlock,
  FleetProtectBlock,
  FleetRuleBlock,
  FleetWindowBlock,
} from './l1/fleet-blocks.ts';
export { GroupMembers, type GroupMembersConfig } from './l1/group-members.ts';
export { Host, type HostConfig } from './l1/host.ts';
export {
  RampartProvider,
  type RampartProviderConfig,
  type RampartProviderEmulator,
  type RampartProviderState,
} from './l1/rampart-provider.ts';
export {
  type FleetForm,
  ManagedFleet,
  type ManagedFleetOptions,
  type ManagedFleetProps,
} from './managed-fleet.ts';
export { ManagedHost, type ManagedHostProps } from './managed-host.ts';
export { type TerraformMatchers, terraformMatchers } from './terraform-matchers.ts';
