import { sha256HexOf } from '../../../core/lib/hash.ts';
import { accountKey } from '../../../core/model/account.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import type { Reason, Step } from '../../../core/plan/types/step.ts';
import type { Place } from '../../../core/problem/problem.ts';
import { changesOfStep } from '../../../run/state/journal/record.ts';
import type { PlanDigests } from '../records/plan-record.ts';

/**
 * The digests by which plans are compared. The checksum of a plan also covers the lines that request its changes, which
 * each edit of the file moves, and the order of its steps, which follows that of the entries.
 */
export function digestsOf(plan: Plan): PlanDigests {
  return { changes: digest(changesIn(plan)), content: digest(contentOf(plan)) };
}

function digest(parts: readonly string[]): string {
  return sha256HexOf(parts.flatMap((part) => [part, '\n']));
}

/** The hosts that the plan changes, and how. The name of an account may have been given to another tenant. */
function changesIn({ account, steps }: Plan): readonly string[] {
  const changes = steps.flatMap((step) =>
    changesOfStep(step).map((change) => JSON.stringify([step.kind, change])),
  );
  return [accountKey(account), ...changes.toSorted()];
}

/**
 * The content that the checksum covers, without lines and order. The ids of steps and what they wait for follow from
 * the steps, so the order of one of two equal plans is valid for the other one too.
 */
function contentOf(plan: Plan): readonly string[] {
  const { account, files, breaches, acks, applicable, deleteFirst, partial, constraints, problems } = plan;
  const rules = {
    format: plan.formatVersion,
    account: accountKey(account),
    files,
    breaches: breaches.map(withoutLine),
    acks,
    applicable,
    deleteFirst,
    partial,
    windows: constraints?.windows.map(withoutLine),
    freezes: constraints?.freezes.map(withoutLine),
    errors: problems.filter(({ severity }) => severity === 'error').map(withoutLine),
  };
  return [JSON.stringify(rules), ...plan.steps.map(stepContent).toSorted()];
}

function stepContent(step: Step): string {
  const { id: _id, after: _after, ...rest } = step;
  if (!('hosts' in rest)) return JSON.stringify({ ...rest, reason: fileOf(rest.reason) });
  const hosts = rest.hosts.map((each) => JSON.stringify({ ...each, reason: fileOf(each.reason) }));
  return JSON.stringify({ ...rest, hosts: hosts.toSorted() });
}

function fileOf({ file, rule }: Reason) {
  return { file, rule };
}

function withoutLine<Item extends { readonly place?: Place }>({ place, ...rest }: Item) {
  return { ...rest, file: place?.file };
}
