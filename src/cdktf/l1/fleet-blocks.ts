import type { IResolvable } from 'cdktf';
import type { AttributeShapes, BlockShape } from './shape.ts';

/** The settings for a host or a rule. Set at most one of the two groups. */
interface Intents {
  /** The name of the target group. */
  readonly group?: string;
  /** The id of the group instead of its name; `-1` for no group. */
  readonly groupId?: string;
  /** `installed`: install the vendor's anti-virus. It is never uninstalled. */
  readonly antivirus?: string;
  /** `present`, or `absent` to delete the host. */
  readonly ensure?: string;
}

/** A host, and its intended name, group and anti-virus. */
export interface FleetHostBlock extends Intents {
  readonly id?: string;
  /** The intended name; without an id, it also identifies the host. */
  readonly name?: string;
  /** The current name; a host with another name is left alone. */
  readonly current?: string;
  /** Earlier names of the host. */
  readonly previously?: string[];
  /** Delete an absent host at this time or later (RFC 3339). */
  readonly deleteAfter?: string;
  /** Changes that no plan may make to the host: any of `delete`, `rename` and `move`. */
  readonly protect?: string[];
  /** Attributes that may differ: any of `name`, `group` and `antivirus`. */
  readonly ignore?: string[];
}

/** A rule for a set of hosts. */
export interface FleetRuleBlock extends Intents {
  readonly name: string;
  /** A CEL condition. */
  readonly when: string;
  /** Text with CEL expressions. Write each as `$${…}`, because `${…}` is Terraform's own syntax. */
  readonly rename?: string;
}

/** The maximum number of hosts that one plan may change, by kind of change: numbers, or shares such as `10%`. */
export interface FleetLimitsBlock {
  readonly delete?: string;
  readonly rename?: string;
  readonly move?: string;
  readonly antivirus?: string;
}

/** Settings for one group as a whole, by its name or by its id. */
export interface FleetGroupBlock {
  readonly name?: string;
  readonly id?: string;
  /** Hosts of the group that no block claims: `ignore`, `report` or `forbid`. */
  readonly unmanaged?: string;
  /** Only hosts that a block puts in the group may be in it. */
  readonly exclusive?: boolean | IResolvable;
  /** The group to move the other hosts to. */
  readonly othersTo?: string;
  /** The id of that group instead of its name; `-1` for no group. */
  readonly othersToId?: string;
  readonly limits?: FleetLimitsBlock;
}

/** Changes that a plan refuses, or warns about. */
export interface FleetChangeBlock {
  readonly name: string;
  /** A CEL condition. */
  readonly when: string;
  readonly message: string;
}

export interface FleetProtectBlock {
  readonly name?: string;
  /** A CEL condition. */
  readonly when: string;
  /** Any of `delete`, `rename` and `move`. */
  readonly from: string[];
  readonly message?: string;
}

export interface FleetWindowBlock {
  readonly name: string;
  /** Days, hours and a time zone, such as `Mon-Fri 20:00-06:00 Europe/Berlin`. */
  readonly only: string[];
  /** The kinds of changes that wait for these hours; all when absent. */
  readonly kinds?: string[];
  readonly message?: string;
}

/** A period without changes (RFC 3339). */
export interface FleetFreezeBlock {
  readonly name?: string;
  readonly from?: string;
  readonly until?: string;
  readonly message?: string;
}

/** Limits and conditions for each plan. */
export interface FleetPolicyBlock {
  readonly limits?: FleetLimitsBlock & {
    /** Hosts whose id is not in the account. */
    readonly missing?: string;
  };
  readonly protect?: readonly FleetProtectBlock[];
  readonly deny?: readonly FleetChangeBlock[];
  readonly warn?: readonly FleetChangeBlock[];
  readonly window?: readonly FleetWindowBlock[];
  readonly freeze?: readonly FleetFreezeBlock[];
}

const text = { type: 'string', optional: true } as const;
const requiredText = { type: 'string', required: true } as const;

const intents = { group: text, group_id: text, antivirus: text, ensure: text } as const;
const limits = { delete: text, rename: text, move: text, antivirus: text } as const satisfies AttributeShapes;
const change = {
  nesting: 'list',
  attributes: { name: requiredText, when: requiredText, message: requiredText },
} as const satisfies BlockShape;

export const fleetBlocks = {
  host: {
    nesting: 'list',
    attributes: {
      ...intents,
      id: text,
      name: text,
      current: text,
      previously: { type: { list: 'string' }, optional: true },
      delete_after: text,
      protect: { type: { set: 'string' }, optional: true },
      ignore: { type: { set: 'string' }, optional: true },
    },
  },
  rule: {
    nesting: 'list',
    attributes: { ...intents, name: requiredText, when: requiredText, rename: text },
  },
  group: {
    nesting: 'list',
    attributes: {
      name: text,
      id: text,
      unmanaged: text,
      exclusive: { type: 'bool', optional: true },
      others_to: text,
      others_to_id: text,
    },
    blocks: { limits: { nesting: 'single', attributes: limits } },
  },
  policy: {
    nesting: 'single',
    blocks: {
      limits: { nesting: 'single', attributes: { ...limits, missing: text } },
      protect: {
        nesting: 'list',
        attributes: {
          name: text,
          when: requiredText,
          from: { type: { set: 'string' }, required: true },
          message: text,
        },
      },
      deny: change,
      warn: change,
      window: {
        nesting: 'list',
        attributes: {
          name: requiredText,
          only: { type: { list: 'string' }, required: true },
          kinds: { type: { set: 'string' }, optional: true },
          message: text,
        },
      },
      freeze: {
        nesting: 'list',
        attributes: { name: text, from: text, until: text, message: text },
      },
    },
  },
} as const satisfies Readonly<Record<string, BlockShape>>;
