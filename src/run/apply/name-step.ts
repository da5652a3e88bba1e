import { foldAlike, foldName } from '../../core/model/host-name.ts';
import type { HostId } from '../../core/model/observed.ts';
import { isTemporaryNameFor, readTemporaryName, temporaryName } from '../../core/model/temporary-name.ts';
import type { NameStep, TemporaryRenameStep } from '../../core/plan/types/step.ts';
import { problem } from '../../core/problem/problem.ts';
import type { CallFailure } from '../../service/client/client.ts';
import type { FleetWriter, WriteOptions } from '../../service/wire/fleet.ts';
import { endedBy } from './call-end.ts';
import type { Reread } from './latest-read.ts';
import { done, type StepResult, stepFailed, stepUnknown } from './step-result.ts';

export interface NameStepContext {
  readonly writer: FleetWriter;
  readonly reread: Reread;
  readonly call: WriteOptions;
  readonly learned: Learned;
}

/** What earlier steps of a run have learned about the service. */
export interface Learned {
  /** No host can change only the letter case of its name: the service returns 409, and needs a temporary name between. */
  refusesCaseChanges: boolean;
}

/** How often one name is requested. A 409 that no read explains, or a response that is lost again, ends the step. */
const attempts = 4;

/**
 * Gives one host one name. Renames are absolute: after a lost response the host is read again, and then the call is
 * repeated.
 */
export async function runNameStep(step: NameStep, context: NameStepContext): Promise<StepResult> {
  let to = step.to;
  let { call } = context;
  if (context.learned.refusesCaseChanges && step.from !== null && foldAlike(step.from, to)) {
    const refused = await giveTemporaryName(step.hostId, to, new Set(), context);
    if (refused !== undefined) return refused;
    call = withoutStop(call);
  }
  for (let attempt = 1; ; attempt += 1) {
    const result = await context.writer.rename(step.hostId, to, call);
    if (result.ok) return done;
    const { failure } = result;
    if (failure.status === 400 && step.kind === 'temporary-rename') {
      const shorter = shortened(step);
      if (shorter !== to) {
        to = shorter;
        continue;
      }
    }
    const inDoubt = failure.outcome === 'unknown' || failure.status === 409;
    // The service calls the id of a deleted host invalid, as it does an invalid name.
    const mayBeDeleted = failure.status === 400;
    if (!inDoubt && !mayBeDeleted) return endedBy(failure, call.stop);
    const verdict = await judge(step.hostId, step.from, to, failure, context);
    if (verdict?.kind === 'end') return verdict.result;
    if (mayBeDeleted || attempt >= attempts) return endedBy(failure, call.stop);
    if (verdict?.kind === 'temporary-rename') {
      context.learned.refusesCaseChanges = true;
      const refused = await giveTemporaryName(step.hostId, to, verdict.taken, context);
      if (refused !== undefined) return refused;
      call = withoutStop(call);
    }
  }
}

/** A host that has a temporary name gets its final one, even if the run is to stop: its step has begun. */
function withoutStop({ stop: _stop, ...call }: WriteOptions): WriteOptions {
  return call;
}

/** The end of the step if the service refuses the temporary name for a final name. */
async function giveTemporaryName(
  hostId: HostId,
  to: string,
  taken: TakenNames,
  { writer, call }: NameStepContext,
): Promise<StepResult | undefined> {
  const result = await writer.rename(hostId, temporaryName('rename', hostId, to, { taken }), call);
  return result.ok || result.failure.outcome === 'unknown' ? undefined : endedBy(result.failure, call.stop);
}

type Verdict =
  | { readonly kind: 'end'; readonly result: StepResult }
  | { readonly kind: 'temporary-rename'; readonly taken: TakenNames };

/** Folded names that hosts have. */
type TakenNames = Pick<ReadonlySet<string>, 'has'>;

/** Determines the outcome of a rename that got a 409 or no response; undefined: send it again. */
async function judge(
  hostId: HostId,
  from: string | null,
  to: string,
  failure: CallFailure,
  context: NameStepContext,
): Promise<Verdict | undefined> {
  const end = (result: StepResult): Verdict => ({ kind: 'end', result });
  const read = await context.reread.names();
  if (!read.ok) {
    return end(failure.outcome === 'unknown' ? stepUnknown(failure.problem) : stepFailed(failure.problem));
  }
  const { names, holders } = read.value;
  const name = names.get(hostId);
  if (name === to) return end(done);
  if (name === undefined) {
    return end(
      stepFailed(problem('stale-plan', `host ${hostId} was deleted by someone else`, { hostIds: [hostId] })),
    );
  }
  if (name !== from && !isTemporary(hostId, name, to)) {
    return end(
      stepFailed(
        problem('stale-plan', `host ${hostId} was renamed by someone else, to "${name}"`, {
          hint: 'plan again',
          hostIds: [hostId],
        }),
      ),
    );
  }
  if (failure.status !== 409) return undefined;
  const owner = holders()
    .get(foldName(to))
    ?.find((id) => id !== hostId);
  if (owner !== undefined) {
    return end(
      stepFailed(
        problem('name-conflict', `host ${owner} now has the name "${to}", requested for ${hostId}`, {
          hint: `rename or delete host ${owner}, then plan again`,
          hostIds: [hostId, owner],
        }),
      ),
    );
  }
  if (name !== null && foldName(name) === foldName(to)) {
    return { kind: 'temporary-rename', taken: holders() };
  }
  return undefined;
}

/** The host may have a temporary name for this same final name, from this run or from an earlier run that crashed. */
function isTemporary(hostId: HostId, name: string | null, to: string): boolean {
  const temporary = readTemporaryName(name);
  return temporary !== undefined && isTemporaryNameFor(temporary, 'rename', hostId, to);
}

/** A temporary name no longer than the final name, a length that the service must accept anyway. */
function shortened(step: TemporaryRenameStep): string {
  return temporaryName(step.why === 'deletion' ? 'deletion' : 'rename', step.hostId, step.finalName, {
    taken: new Set(),
    maxLength: Math.max(step.finalName.length, step.from.length),
  });
}
