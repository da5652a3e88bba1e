import type { PlanDetail, PlanFiles } from '../../../api/plans.ts';
import { listed } from '../../../core/lib/words.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Text } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { useResource } from '../../data/resource.ts';
import { DiffText } from '../../parts/diff.tsx';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { Version } from '../../parts/version.tsx';

/** What people edited in the files since the change that was applied before this one. */
export function FileEdits({ plan }: { readonly plan: PlanDetail }) {
  const files = useResource<PlanFiles>(pathOf`/plans/${plan.id}/files`);
  return (
    <Loaded of={files} tried="Comparing the files" lines={8}>
      {(value) => <Edits {...value} />}
    </Loaded>
  );
}

function Edits({ before, commit, patch, why }: PlanFiles) {
  const since =
    before === null ? null : (
      <p>
        {commit === null ? null : <Version commit={commit} />} compared with{' '}
        <Version commit={before.commit} /> of{' '}
        <a class="underlined" href={consoleAddress.change(before.plan)}>
          the change applied before
        </a>
        .
      </p>
    );
  if (patch === null)
    return (
      <EmptyState title="No lines to show">
        <Text text={why ?? ''} />
        {since}
      </EmptyState>
    );
  const { text, added, removed, incomplete } = patch;
  if (text === '' && incomplete.length === 0)
    return (
      <EmptyState title="Nobody edited the files">
        <p>Hosts, or facts that rules use, have changed. The plan restores the desired state.</p>
        {since}
      </EmptyState>
    );
  return (
    <Section title="Edited lines" count={`+${figure(added)} −${figure(removed)}`}>
      {since}
      {text === '' ? null : <DiffText patch={text} label="Edited lines" />}
      {incomplete.length === 0 ? null : (
        <p>
          <Text text={`${counted(incomplete.length, 'file')} too large or not text: ${listed(incomplete)}`} />
        </p>
      )}
    </Section>
  );
}
