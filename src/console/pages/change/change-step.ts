import type { PlanDetail } from '../../../api/plans.ts';
import type { RunDetail } from '../../../api/runs.ts';
import { isOpenRun } from '../../../api/states.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { isFolder, shortHash } from '../../../output/components/places.ts';
import { type Mark, waitingWords } from '../../words/health.ts';
import { planMarks, runMarks } from '../../words/state-marks.ts';
import { droppedOut } from './run-words.ts';

/** A plan, and the run that applies it if there is one. */
export interface ChangeParts {
  readonly plan: PlanDetail;
  readonly run: RunDetail | null;
}

/** A plan that a part of the page shows, and what to call after the reader changed it. */
export interface PlanPartProps {
  readonly plan: PlanDetail;
  readonly onChange: () => void;
}

/** The steps of a change, as addresses name them. */
export const stepNames = ['file', 'plan', 'decisions', 'run', 'proof'] as const;
export type StepName = (typeof stepNames)[number];

/** A step on the way of a change, and how far it is. */
export interface ChangeStep {
  readonly name: StepName;
  readonly title: string;
  readonly note: string;
  readonly state: 'done' | 'now' | 'next' | 'trouble';
}

/** The state of a change as a whole: that of its run once there is one. */
export function changeMark({ plan, run }: ChangeParts): Mark {
  if (run !== null) return runMarks[run.state];
  const mark = planMarks[plan.state];
  const { given, needed } = approvalsOf(plan);
  if (plan.state !== 'waiting' || needed < 2) return mark;
  return { ...mark, word: `waiting, ${figure(given)} of ${figure(needed)} approvals` };
}

/** What a reader sees first. */
export function currentStep({ run }: ChangeParts): StepName {
  return run === null ? 'plan' : 'run';
}

export function changeSteps({ plan, run }: ChangeParts): readonly ChangeStep[] {
  return [
    { name: 'file', title: 'Files', note: versionOf(plan), state: 'done' },
    { name: 'plan', title: 'Plan', note: counted(plan.changes, 'change'), state: 'done' },
    { name: 'decisions', title: 'Decisions', ...decisionsOf(plan, run) },
    { name: 'run', title: 'Run', ...runOf(run, plan) },
    { name: 'proof', title: 'Proof', ...proofOf(run) },
  ];
}

function versionOf({ commit }: PlanDetail): string {
  if (commit === null) return 'no edit';
  return `${isFolder(commit) ? 'version' : 'commit'} ${shortHash(commit)}`;
}

function decisionsOf(plan: PlanDetail, run: RunDetail | null): Pick<ChangeStep, 'note' | 'state'> {
  const { given, needed } = approvalsOf(plan);
  if (plan.state === 'rejected') return { note: 'rejected', state: 'trouble' };
  if (needed === 0 || isUnapproved(plan, run)) return { note: 'no approval needed', state: 'done' };
  const comments = plan.comments.length === 0 ? '' : `, ${counted(plan.comments.length, 'comment')}`;
  const note = `${figure(given)} of ${counted(needed, 'approval')}${comments}`;
  if (run !== null || given >= needed) return { note, state: 'done' };
  return { note, state: plan.state === 'waiting' ? 'now' : 'trouble' };
}

/** Did the server begin the run by itself, because the plan is within the limits of the account? */
export function isUnapproved(plan: PlanDetail, run: RunDetail | null): boolean {
  return run !== null && approvalsOf(plan).given === 0;
}

export function approvalsOf({ approvals, required }: PlanDetail) {
  return {
    given: approvals.filter(({ decision }) => decision === 'approved').length,
    needed: required.approvals,
  };
}

function runOf(run: RunDetail | null, plan: PlanDetail): Pick<ChangeStep, 'note' | 'state'> {
  if (run === null) return { note: plan.is_paused ? waitingWords.pause : 'not started', state: 'next' };
  const note = `${figure(run.steps.done)} of ${counted(run.steps.total, 'step')}`;
  if (isOpenRun(run.state)) return { note, state: 'now' };
  return { note, state: run.state === 'done' ? 'done' : 'trouble' };
}

function proofOf(run: RunDetail | null): Pick<ChangeStep, 'note' | 'state'> {
  if (run === null || isOpenRun(run.state)) return { note: 'after the run', state: 'next' };
  const dropped = droppedOut(run);
  if (run.state === 'done')
    return dropped === 0
      ? { note: 'verified', state: 'done' }
      : { note: `verified, ${figure(dropped)} dropped out`, state: 'trouble' };
  return { note: run.state === 'in_doubt' ? 'in doubt' : 'not verified', state: 'trouble' };
}
