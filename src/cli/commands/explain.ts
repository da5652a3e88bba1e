import type { Desired } from '../../core/model/desired.ts';
import { hostsOf, type Observed } from '../../core/model/observed.ts';
import { toDocument } from '../../core/plan/document/document-names.ts';
import { explain as explainHost } from '../../core/plan/explain.ts';
import { makePlan } from '../../core/plan/make-plan.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { paintExplanation } from '../../output/review/explanation-text.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { findHost, type NamedHost } from '../listing/find-host.ts';
import { printResult, textStyle } from '../listing/print-listing.ts';
import { createCommandPlanner, type FleetFlags, fleetToPlan } from '../planning/planning.ts';
import { readDesiredState } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';

/** Shows which file, line and rule decide each attribute of one host, what was observed, and what will happen. */
export async function explainCommand(context: Context, flags: FleetFlags, word: string): Promise<ExitCode> {
  const desired = await readDesiredState(flags.file ?? [], context);
  if (!desired.ok) return context.fail(desired.problems);
  context.report(desired.problems);
  const fleet = await fleetToPlan(context, desired.value, flags);
  if (!fleet.ok) return context.fail(fleet.problems);
  context.report(fleet.problems);

  const { observed } = fleet.value;
  const host = hostMeant(word, desired.value, observed);
  if (!host.ok) return context.fail(host.problems);
  const planner = await createCommandPlanner(context, { desired: desired.value, ...fleet.value }, flags);
  if (!planner.ok) return context.fail(planner.problems);
  const inputs = planner.value.inputsOn(observed);
  if (!inputs.ok) return context.fail(inputs.problems);
  const explanation = explainHost(host.value.id, inputs.value, makePlan(inputs.value));
  if (explanation === undefined) throw new Error('the plan does not contain the host to explain');
  return printResult(context, toDocument(explanation), () =>
    paintExplanation(explanation, textStyle(context)),
  );
}

/** Finds a host by its id, its current name, or the name that an entry requests for it. */
function hostMeant(word: string, desired: Desired, observed: Observed): Result<NamedHost> {
  const found = findHost(word, hostsOf(observed));
  if (found.ok) return found;
  for (let index = 0; index < desired.count; index += 1) {
    const { id, name } = desired.at(index);
    if (name !== word) continue;
    const host = id === undefined ? undefined : observed.byId(id);
    if (host !== undefined) return ok(host);
    return failed(
      problem('missing-host', `an entry is for a host named "${word}", which does not exist yet`, {
        place: desired.placeOf(index, 'name'),
        hint: 'the entry waits until the host enrolls; if the host has another name, add that name to "previously"',
      }),
    );
  }
  return found;
}
