import { useState } from 'preact/hooks';
import type { RunDetail } from '../../../api/runs.ts';
import { isOpenRun } from '../../../api/states.ts';
import { consoleAddress, useAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { undoableHosts } from './run-words.ts';

interface RunActionProps {
  readonly run: RunDetail;
  readonly onChange: () => void;
}

type Act = 'override' | 'stop' | 'undo';

const acts = {
  override: {
    button: 'Override the window…',
    title: 'Override the change window',
    verb: 'Start the run now',
    tried: 'Overriding the window',
    announcement: 'The run no longer waits for change windows.',
    text: 'The run begins now and does not stop when a window closes. The override holds for this run only.',
  },
  stop: {
    button: 'Stop at a safe point…',
    title: 'Stop this run',
    verb: 'Stop the run',
    tried: 'Stopping',
    announcement: 'The run stops at the next safe point.',
    text: 'Calls already sent are finished and recorded, and no other call is sent. Completed changes stay. A new plan contains the rest.',
  },
  undo: {
    button: 'Undo as a plan…',
    title: 'Undo this run',
    verb: 'Make the plan',
    tried: 'Making the plan',
    announcement: 'The plan is ready for review.',
    text: 'A new plan reverses the changes of this run that can be undone. Nothing changes until the plan is reviewed and approved.',
  },
} as const;

/** Stop while it runs, undo afterwards. A run that waits for a change window can begin now, with a reason. */
export function RunActions({ run, onChange }: RunActionProps) {
  const { go } = useAddress();
  const [open, setOpen] = useState<Act | null>(null);
  const offered: readonly Act[] = !isOpenRun(run.state)
    ? ['undo']
    : run.waits_for?.kind === 'window' && !run.override
      ? ['override', 'stop']
      : ['stop'];
  return (
    <>
      {offered.map((act) => (
        <Button key={act} needsServer onClick={() => setOpen(act)} reason={refusalOf(act, run)}>
          {acts[act].button}
        </Button>
      ))}
      {open === null ? null : (
        <ReasonDialog<{ readonly plan?: string }>
          {...acts[open]}
          isDangerous={open !== 'undo'}
          path={`${pathOf`/runs/${run.id}`}/${open}`}
          draft={`run.${run.id}.${open}`}
          onDone={({ plan }) =>
            plan === undefined || open !== 'undo' ? onChange() : go(consoleAddress.change(plan))
          }
          onClose={() => setOpen(null)}
        >
          <p>{acts[open].text}</p>
          {open === 'override' ? <p>{run.waits_for?.message}</p> : null}
        </ReasonDialog>
      )}
    </>
  );
}

function refusalOf(act: Act, run: RunDetail): string | null {
  if (act === 'override')
    return maySomewhere('override-window') ? null : 'Your roles do not allow overriding windows.';
  if (act === 'stop') {
    if (!maySomewhere('stop')) return 'Your roles do not allow stopping runs.';
    return run.state === 'stopping' ? 'It is stopping.' : null;
  }
  if (!maySomewhere('undo')) return 'Your roles do not allow undoing runs.';
  if (run.steps.done === 0) return 'Nothing was done.';
  return run.by_kind.length === 0 || undoableHosts(run) > 0
    ? null
    : "Deletions and installs can't be undone.";
}
