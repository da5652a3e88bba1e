import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { RunDetail } from '../../../api/runs.ts';
import { consoleAddress, useAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { useResource } from '../../data/resource.ts';
import { EmptyState, Loaded } from '../../parts/states.tsx';

/** Leads from the id of a run to the change that it belongs to. */
export function ChangeOfRun() {
  const { id = '' } = useRoute().params;
  const { go } = useAddress();
  const run = useResource<RunDetail>(pathOf`/runs/${id}`);
  const plan = run.value?.plan ?? null;
  useEffect(() => {
    if (plan !== null) go(consoleAddress.change(plan), 'replace');
  }, [plan, go]);
  return (
    <Loaded of={run} tried="Reading the run">
      {({ plan: found }) => (found === null ? <EmptyState title="The plan of this run was removed" /> : null)}
    </Loaded>
  );
}
