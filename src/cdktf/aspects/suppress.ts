import type { IConstruct } from 'constructs';
import { nearest, quoted } from '../../core/lib/words.ts';
import { annotateOnce } from './annotate-once.ts';
import { type RuleId, ruleIds } from './rule-id.ts';

/** The type and the data that `suppress` writes to the metadata of a construct. */
const suppressionMetadata = 'rampart:suppression';

export interface Suppression {
  readonly ruleId: RuleId;
  readonly reason: string;
}

/** The suppressions that suppressed a finding. */
const used = new WeakSet<Suppression>();

/**
 * Suppresses the findings of a rule at a construct and everything inside it, with a reason. The reason is stored in the
 * construct's metadata and shown where it applies. If the suppression has no effect, synth warns. Throws if the rule
 * does not exist, or if there is no reason.
 */
export function suppress(construct: IConstruct, ruleId: RuleId, reason: string): void {
  const { node } = construct;
  if (!ruleIds.includes(ruleId)) throw new Error(`${node.path}: ${unknownRule(String(ruleId))}`);
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new Error(`${node.path}: ${ruleId} is suppressed without a reason`);
  const suppression: Suppression = { ruleId, reason: reason.trim() };
  node.addMetadata(suppressionMetadata, suppression);
  // Validations run after all aspects have run, and before annotations are collected.
  node.addValidation({
    validate: () => {
      if (!used.has(suppression))
        annotateOnce(
          construct,
          'warning',
          `${ruleId}: the suppression has no effect here: ${suppression.reason}`,
        );
      return [];
    },
  });
}

/** The suppression of a rule at a construct: its own, or that of the nearest enclosing construct. */
export function suppressionAt(construct: IConstruct, ruleId: RuleId): Suppression | undefined {
  for (const { node } of construct.node.scopes.toReversed()) {
    const found = node.metadata
      .filter(({ type }) => type === suppressionMetadata)
      .map(({ data }) => data as Suppression)
      .findLast((each) => each.ruleId === ruleId);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function markUsed(suppression: Suppression): void {
  used.add(suppression);
}

function unknownRule(word: string): string {
  const near = nearest(word, ruleIds);
  return `there is no rule ${quoted(word)}: ${near.length > 0 ? `did you mean ${near[0]}?` : `the rules are ${ruleIds.join(', ')}`}`;
}
