import type { IResolvable } from 'cdktf';
import type { AttributeShapes, BlockShape } from './shape.ts';

/** What a host or a rule may ask for; of the two groups one at most. */
interface Intents {
  /** The name of the group to be in. */
  readonly group?: string;
  /** Its id instead of its name; `-1` for no group. */
  readonly groupId?: string;
  /** `installed`: have the vendor's anti-virus, which is never undone. */
  readonly antivirus?: string;
  /** `present`, or `absent` for what is to be deleted. */
  readonly ensure?: string;
}

/** A host: which one it is, and what it is to be. */
export interface FleetHostBlock extends Intents {
  readonly id?: string;
  /** The intended name; without an id, it also identifies the host. */
  readonly name?: string;
  /** The current name; a host with another name is left alone. */
  readonly current?: string;
  /** Names that it had before. */
  readonly previously?: string[];
  /** Delete an absent host at this time or later (RFC 3339). */
  readonly deleteAfter?: string;
  /** What no plan may do to it: some of `delete`, `rename` and `move`. */
  readonly protect?: string[];
  /** What may be otherwise: some of `name`, `group` and `antivirus`. */
  readonly ignore?: string[];
}

/** What every host of a kind is to be. */
export interface FleetRuleBlock extends Intents {
  readonly name: string;
  /** A condition in CEL. */
  readonly when: string;
  /** A text with expressions in it, each written `$${…}`, as `${…}` is Terraform's own. */
  readonly rename?: string;
}

/** The most hosts that one plan may touch, by what it does to them: numbers, or shares such as `10%`. */
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
  /** Hosts in it that no block claims: `ignore`, `report` or `forbid`. */
  readonly unmanaged?: string;
  /** Only hosts that a block puts in the group may be in it. */
  readonly exclusive?: boolean | IResolvable;
  /** The group that the others are moved to. */
  readonly othersTo?: string;
  /** Its id instead of its name; `-1` for no group. */
  readonly othersToId?: string;
  readonly limits?: FleetLimitsBlock;
}

/** Changes that are refused, or that a plan has a warning for. */
export interface FleetChangeBlock {
  readonly name: string;
  /** A condition in CEL. */
  readonly when: string;
  readonly message: string;
}

export interface FleetProtectBlock {
  readonly name?: string;
  /** A condition in CEL. */
  readonly when: string;
  /** Some of `delete`, `rename` and `move`. */
  readonly from: string[];
  readonly message?: string;
}

export interface FleetWindowBlock {
  readonly name: string;
  /** Days, hours and a time zone, such as `Mon-Fri 20:00-06:00 Europe/Berlin`. */
  readonly only: string[];
  /** Which changes wait for them; all when absent. */
  readonly kinds?: string[];
  readonly message?: string;
}

/** A time in which nothing is changed (RFC 3339). */
export interface FleetFreezeBlock {
  readonly name?: string;
  readonly from?: string;
  readonly until?: string;
  readonly message?: string;
}

/** What one plan may do. */
export interface FleetPolicyBlock {
  readonly limits?: FleetLimitsBlock & {
    /** Hosts with an id that the account does not list. */
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
