import type { HostDetail } from '../../../api/hosts.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import type { Run } from '../../../run/state/journal/parse-run.ts';
import type { JournaledChange } from '../../../run/state/journal/record.ts';
import { type ReplayedStep, replay } from '../../../run/state/journal/replay.ts';
import type { AccountRecord } from '../../accounts/records/account-record.ts';
import type { HttpParts } from '../../http/route.ts';

type Line = HostDetail['history'][number];

/** The runs that are searched for a host. Their records are read one after another. */
const mostRuns = 20;

/** What the last runs of an account did to one host, latest first. */
export async function hostHistory(
  { state }: Pick<HttpParts, 'state'>,
  { companyId, service }: Pick<AccountRecord, 'companyId' | 'service'>,
  hostId: string,
): Promise<Result<Pick<HostDetail, 'history' | 'searched'>>> {
  const listed = await state.listRuns({ account: { companyId, service }, limit: mostRuns });
  if (!listed.ok) return listed;
  const lines: Line[] = [];
  for (const { head } of listed.value) {
    const run = await state.readRun(head.run_id);
    // A run that can't be read hides only its own lines.
    if (run.ok) lines.push(...linesOf(run.value, hostId));
  }
  const runs = listed.value.length;
  return ok({ history: lines, searched: { runs, is_complete: runs < mostRuns } });
}

function linesOf(run: Run, hostId: string): readonly Line[] {
  const lines = replay(run).steps.flatMap((step) => {
    const change = step.begin.changes.find((each) => each.host_id === hostId);
    return change === undefined
      ? []
      : [
          {
            at: new Date(step.begin.at).toISOString(),
            run: run.head.run_id,
            text: changeText(step, change),
            outcome: step.failedHostIds.has(hostId) ? 'failed' : step.outcome,
            by: run.head.origin?.actor ?? null,
          },
        ];
  });
  return lines.reverse();
}

function changeText({ begin }: ReplayedStep, { name, group }: JournaledChange): string {
  switch (begin.kind) {
    case 'rename':
    case 'temporary-rename':
      return `rename ${name?.before ?? '(no name)'} to ${name?.after ?? '(unknown)'}`;
    case 'move':
      return `move from group ${group?.before ?? '(unknown)'} to group ${group?.after ?? '(unknown)'}`;
    case 'antivirus':
      return 'install anti-virus';
    case 'refresh':
      return 'refresh the anti-virus status';
    case 'delete':
      return 'delete';
  }
}
