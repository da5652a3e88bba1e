import type { DriftRow } from '../../../api/accounts.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { adoptCommand } from '../../words/adopt-command.ts';

interface AdoptDialogProps {
  readonly account: string;
  /** The hosts whose values the file should take; empty: every change of the fleet. */
  readonly rows: readonly DriftRow[];
  readonly onClose: () => void;
}

/** The exact command that writes what the fleet has into the desired state. The server never writes to a source. */
export function AdoptDialog({ account, rows, onClose }: AdoptDialogProps) {
  const ids = [...new Set(rows.map(({ host_id: id }) => id))];
  return (
    <Dialog title="Make the file match the fleet" onClose={onClose} kind="wide">
      <p>
        Run these commands in a checkout of the desired state, where <code>RAMPART_STATE_URL</code> names the
        database of this server. The first one shows the changes as a patch and writes nothing.
      </p>
      <CopyText
        text={adoptCommand(account, ids, { isDryRun: true })}
        label="Copy the command for the patch"
      />
      <CopyText text={adoptCommand(account, ids)} label="Copy the command that writes" />
      <p class="dim">
        Then commit the change and have it reviewed. Entries in tables and scripts, and what a rule sets, are
        reported and not changed.
      </p>
    </Dialog>
  );
}
