import type { ExpressionScope } from '../checker/scope.ts';
import type { FactMembers, FactShape } from './fact-shape.ts';
import { itemsOf, textFactOf, value } from './fact-shape.ts';
import { hardwareFacts, systemFacts } from './inventory-facts.ts';

const hostFacts: FactShape = {
  kind: 'object',
  about: 'the host',
  members: {
    id: value('int', 'the exact id'),
    name: textFactOf('the name'),
    hostName: textFactOf('the name that the computer reports'),
    group: textFactOf('the name of the group; "" for no group'),
    groupId: value('int', 'the id of the group; -1 for no group'),
    online: value('bool', 'whether the host is online'),
    stateChangedAt: textFactOf(
      'when the host last came online or went offline, in the date format of the service',
    ),
    customFields: { kind: 'map', about: 'the custom fields: value names by category name' },
    antivirus: {
      kind: 'object',
      needs: 'antivirus',
      about: 'the anti-virus list',
      members: {
        installed: value('bool', "whether the vendor's product is installed"),
        supported: value('bool', "whether the vendor's product can be installed"),
        product: textFactOf('the installed product'),
        status: textFactOf('the status'),
        realTimeProtection: value('bool', 'whether real-time protection is on'),
        definitionsUpToDate: value('bool', 'whether the virus definitions are up to date'),
        definitionVersion: textFactOf('the version of the virus definitions'),
        lastFullScan: textFactOf('when the last full scan ran'),
        threats: value('int', 'the number of threats found'),
        several: value('bool', 'whether several products are installed'),
        build: value('int', 'the build number'),
        mac: value('bool', 'whether the host is a Mac'),
      },
    },
    inventory: {
      kind: 'object',
      about: 'the inventory, from the local cache',
      members: { hardware: hardwareFacts, system: systemFacts },
    },
  },
};

const accountFacts: FactShape = {
  kind: 'object',
  about: 'the account of the host, in rules and policies',
  members: {
    name: textFactOf('the name of the account in rampart.config.yaml'),
    labels: { kind: 'map', about: 'the labels of the account in rampart.config.yaml' },
  },
};

const changeFacts: FactShape = {
  kind: 'object',
  about: 'the change, in policies',
  members: {
    kind: textFactOf('rename, move, antivirus or delete'),
    from: textFactOf('the name or group before the change; "" for the other kinds'),
    to: textFactOf('the name or group after the change; "" for the other kinds'),
  },
};

export const nowFact: FactShape = value('timestamp', 'the time of the plan');

const roots: Readonly<Record<ExpressionScope, FactMembers>> = {
  host: { host: hostFacts, now: nowFact },
  rule: { host: hostFacts, account: accountFacts, now: nowFact },
  change: { host: hostFacts, account: accountFacts, change: changeFacts, now: nowFact },
  texts: {},
};

export function rootsOf(scope: ExpressionScope): FactMembers {
  return roots[scope];
}

/** The members of every object type, by the type's name. */
const membersByType: ReadonlyMap<string, FactMembers> = new Map(
  Object.entries(roots.change).flatMap(([name, shape]) => objectTypes(name, shape)),
);

export function factMembersOf(typeName: string): FactMembers {
  return membersByType.get(typeName) ?? {};
}

/** The shape that a path such as `host.antivirus.installed` leads to. */
export function shapeAt(path: string): FactShape | undefined {
  const [root, ...names] = path.split('.');
  let shape = roots.change[root as string];
  for (const name of names) {
    shape = shape?.kind === 'object' ? shape.members[name] : undefined;
  }
  return shape;
}

function objectTypes(path: string, shape: FactShape): readonly (readonly [string, FactMembers])[] {
  if (!('members' in shape)) return [];
  const name = shape.kind === 'objects' ? itemsOf(path) : path;
  const below = Object.entries(shape.members).flatMap(([key, member]) =>
    objectTypes(`${name}.${key}`, member),
  );
  return [[name, shape.members], ...below];
}
