import { Aspects, type IAspect } from 'cdktf';
import type { IConstruct } from 'constructs';
import { printable } from '../../core/lib/printable.ts';
import { annotateOnce } from './annotate-once.ts';
import type { StackClaim } from './claim.ts';
import { claimsOf } from './claims-of.ts';
import type { RuleId } from './rule-id.ts';
import { markUsed, suppressionAt } from './suppress.ts';
import { type ClaimTree, readClaimTree } from './tree.ts';

export interface AspectFinding {
  /** A warning means that something can't be known before Terraform runs. */
  readonly level: 'error' | 'warning';
  readonly message: string;
}

/** The maximum number of findings of one rule that are reported for one resource. */
const shown = 20;

/**
 * A rule about the fleet that a stack describes. Its errors, at the constructs that break it, stop synth. Add it to a
 * stack, or to a construct in one: `Aspects.of(stack).add(…)`.
 */
export abstract class FleetAspect implements IAspect {
  abstract readonly ruleId: RuleId;
  #tree: ClaimTree | undefined;

  visit(construct: IConstruct): void {
    if (Aspects.of(construct).all.includes(this)) this.#tree = undefined;
    const claims = claimsOf(construct);
    if (claims.length === 0) return;
    const here: Here = { construct, tree: () => (this.#tree ??= readClaimTree(construct.node.root)) };
    const findings = claims.flatMap((claim) =>
      (claim.kind === 'unread' ? [unreadable(claim)] : this.check(claim, here)).map((each) =>
        placed(each, claim),
      ),
    );
    this.#report(construct, findings);
  }

  /** @internal */
  protected abstract check(claim: ReadClaim, here: Here): readonly AspectFinding[];

  #report(construct: IConstruct, findings: readonly AspectFinding[]): void {
    if (findings.length === 0) return;
    const suppression = suppressionAt(construct, this.ruleId);
    if (suppression !== undefined) {
      markUsed(suppression);
      annotateOnce(
        construct,
        'info',
        `${this.ruleId}: suppressed ${findings.length === 1 ? 'once' : `${findings.length} times`}: ${suppression.reason}`,
      );
      return;
    }
    for (const level of ['error', 'warning'] as const) {
      const messages = findings.filter((each) => each.level === level).map(({ message }) => message);
      for (const message of messages.slice(0, shown))
        annotateOnce(construct, level, `${this.ruleId}: ${printable(message)}`);
      if (messages.length > shown)
        annotateOnce(construct, level, `${this.ruleId}: and ${messages.length - shown} more like these`);
    }
  }
}

export type ReadClaim = Exclude<StackClaim, { readonly kind: 'unread' }>;

/** The position of a claim. */
export interface Here {
  readonly construct: IConstruct;
  /** The claims of all stacks. */
  readonly tree: () => ClaimTree;
}

export function error(message: string): AspectFinding {
  return { level: 'error', message };
}

export function warningFinding(message: string): AspectFinding {
  return { level: 'warning', message };
}

function unreadable({ title, why }: Extract<StackClaim, { readonly kind: 'unread' }>): AspectFinding {
  return why === 'later'
    ? warningFinding(`the content of ${title} is known only to Terraform, so it is not checked`)
    : error(`the content of ${title} can't be checked: ${why.problem}`);
}

function placed({ level, message }: AspectFinding, { place }: StackClaim): AspectFinding {
  return { level, message: place === undefined ? message : `${place}: ${message}` };
}
