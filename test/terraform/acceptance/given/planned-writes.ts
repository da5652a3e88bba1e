import { expect } from 'vitest';
import type { FleetWorkspace } from './fleet-workspace.ts';

/** What the fleet has of each host, as far as Terraform can change it. */
type Hosts = ReadonlyMap<
  string,
  { readonly name: string | null; readonly group: string | null; readonly installs: number }
>;

type Values = Readonly<Record<string, unknown>>;

interface ResourceChange {
  readonly type: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Values | null;
    readonly after: Values | null;
    readonly after_unknown: Values;
  };
}

/**
 * Saves a plan and applies it: the resulting fleet must be exactly that of the plan, by `terraform show -json`. Each
 * change has the form `7 name=NEW`, `7 group=Servers`, `7 antivirus` or `7 gone`.
 */
export async function applyAsPlanned(fleet: FleetWorkspace): Promise<readonly string[]> {
  expect(await fleet.plan('-out=saved')).toMatchObject({ status: 2, stderr: '' });
  const planned = await writesOf(fleet, 'saved');
  const before = hostsOf(fleet);
  expect(await fleet.run('apply', '-no-color', 'saved')).toMatchObject({ status: 0, stderr: '' });
  expect(differences(before, hostsOf(fleet))).toEqual(planned);
  return planned;
}

/** The changes in a saved plan. */
async function writesOf(fleet: FleetWorkspace, saved: string): Promise<readonly string[]> {
  const { stdout } = await fleet.run('show', '-json', saved);
  const { resource_changes: changes } = JSON.parse(stdout) as { resource_changes: readonly ResourceChange[] };
  return changes.flatMap((each) => writesOfChange(each, fleet)).sort();
}

function writesOfChange(
  { type, change: { actions, before, after, after_unknown } }: ResourceChange,
  fleet: FleetWorkspace,
): string[] {
  if (actions.join() === 'no-op') return [];
  switch (type) {
    case 'rampart_host': {
      if (after === null) return before?.['on_destroy'] === 'delete' ? [`${String(before['id'])} gone`] : [];
      const id = String(after['id']);
      const was = before ?? { name: after['adopted_name'], group: after['adopted_group'], antivirus: null };
      return [
        ...(after['name'] === was['name'] ? [] : [`${id} name=${String(after['name'])}`]),
        ...(after['group'] === was['group'] || after_unknown['group'] === true
          ? []
          : [`${id} group=${String(after['group'])}`]),
        ...(after['antivirus'] === was['antivirus'] ? [] : [`${id} antivirus`]),
      ];
    }
    case 'rampart_group_members':
      return [
        ...Object.keys(after?.['joins'] ?? {}).map(
          (id) => `${id} group=${String(groupName(fleet, after?.['id']))}`,
        ),
        ...Object.keys(after?.['evicts'] ?? {}).map((id) => `${id} group=null`),
      ];
    case 'rampart_fleet':
      if (after_unknown['applied_at'] !== true) return [];
      return Object.entries((after?.['changes'] ?? {}) as Readonly<Record<string, string>>).flatMap(
        ([id, line]) => writesOfLine(line).map((write) => `${id} ${write}`),
      );
    default:
      throw new Error(`no resource of the provider: ${type}`);
  }
}

/** A line such as `'A': rename to 'B'; move from 'C' to no group (fleet.yaml:3)`. */
function writesOfLine(line: string): readonly string[] {
  const [renamed, moved] = [
    /: .*?rename to '(.*?)'/.exec(line),
    /move from .* to (?:'(.*?)'|no group)/.exec(line),
  ];
  return [
    ...(renamed === null ? [] : [`name=${String(renamed[1])}`]),
    ...(moved === null ? [] : [`group=${String(moved[1] ?? null)}`]),
    ...(line.includes('install the anti-virus') ? ['antivirus'] : []),
    ...(/(?:: |; )delete \(/.test(line) ? ['gone'] : []),
  ];
}

function groupName({ emulator }: FleetWorkspace, id: unknown): string | null {
  return emulator.state().groups.find((group) => group.id === id)?.name ?? null;
}

function hostsOf(fleet: FleetWorkspace): Hosts {
  const { emulator } = fleet;
  return new Map(
    emulator
      .state()
      .hosts.map(({ id, name, groupId }) => [
        id,
        { name, group: groupName(fleet, groupId), installs: emulator.installs.get(id) ?? 0 },
      ]),
  );
}

function differences(before: Hosts, after: Hosts): readonly string[] {
  return [...before]
    .flatMap(([id, was]) => {
      const is = after.get(id);
      if (is === undefined) return [`${id} gone`];
      return [
        ...(is.name === was.name ? [] : [`${id} name=${String(is.name)}`]),
        ...(is.group === was.group ? [] : [`${id} group=${String(is.group)}`]),
        ...(is.installs === was.installs ? [] : [`${id} antivirus`]),
      ];
    })
    .sort();
}
