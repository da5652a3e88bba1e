import type { PlanDetail } from '../../../api/plans.ts';
import { listed } from '../../../core/lib/words.ts';
import { Calls } from '../../../output/components/calls.tsx';
import { PlanCauses } from '../../../output/components/causes.tsx';
import { Chains } from '../../../output/components/chains.tsx';
import { GroupChanges } from '../../../output/components/group-changes.tsx';
import { Irreversible, Unusual } from '../../../output/components/host-section.tsx';
import { counted, figure } from '../../../output/components/numbers.ts';
import { planTiles } from '../../../output/components/plan-totals.ts';
import { Problems } from '../../../output/components/problems.tsx';
import { Tiles } from '../../../output/components/tiles.tsx';
import { consoleAddress } from '../../browser/address.ts';
import type { PlanPartProps } from './change-step.ts';
import { aroundHosts, PlanHosts } from './plan-hosts.tsx';
import { PlanRehearsal } from './plan-rehearsal.tsx';

/** Everything that a reviewer reads: what can't be undone first, all other hosts last. */
export function ReviewPanel({ plan, onChange }: PlanPartProps) {
  const { irreversible_hosts: irreversible, unusual_hosts: unusual, more } = plan;
  const around = aroundHosts(plan);
  const all = irreversible.length + more.irreversible_hosts;
  const hidden = more.unusual_hosts;
  const chains = plan.chains.length + more.chains;
  return (
    <>
      <Tiles tiles={planTiles({ ...plan, chains })} />
      <Irreversible
        hosts={irreversible}
        all={all}
        around={around}
        rest={
          <>
            <a href={`${consoleAddress.change(plan.id, { step: 'plan', irreversible: 'true' })}#hosts`}>
              All {counted(all, 'host')}
            </a>
            ; the first {figure(irreversible.length)} are above.
          </>
        }
      />
      <Unusual
        hosts={unusual}
        all={unusual.length + hidden}
        around={around}
        rest={`and ${counted(hidden, 'more host')}`}
      />
      <Problems problems={plan.problems} more={more.problems} />
      <GroupChanges groups={plan.groups} />
      <PlanCauses causes={plan.causes} />
      <Chains chains={plan.chains} more={more.chains} />
      <Calls
        costs={plan}
        rest={[['Previous plan', <Difference key="difference" difference={plan.difference} />]]}
      />
      <PlanRehearsal plan={plan} onChange={onChange} />
      <PlanHosts plan={plan} />
    </>
  );
}

function Difference({ difference }: { readonly difference: PlanDetail['difference'] }) {
  if (difference === null) return <span class="dim">none</span>;
  const { previous, added, removed, same } = difference;
  return (
    <>
      {listed([`${figure(added)} added`, `${figure(removed)} removed`, `${figure(same)} the same`])}, compared
      with{' '}
      <a class="underlined" href={consoleAddress.change(previous)}>
        the plan before
      </a>
    </>
  );
}
