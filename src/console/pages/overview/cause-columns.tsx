import type { ComponentChildren } from 'preact';
import type { Cause } from '../../../api/accounts.ts';
import { isDriftKind } from '../../../api/states.ts';
import { capitalized, counted } from '../../../output/components/numbers.ts';
import type { TableColumn } from '../../../output/components/table.tsx';
import { Count, Name, PlaceText, Text } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { CauseBy } from '../../parts/cause-by.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { Time } from '../../parts/time.tsx';
import { causeMarks } from '../../words/cause.ts';

export const keyOfCause = ({ id }: Cause) => id;

/** The columns of a list of causes. `noteOf` adds to the note of a cause. */
export function causeColumns(
  noteOf: (cause: Cause) => ComponentChildren = () => null,
): readonly TableColumn<Cause>[] {
  return [
    {
      key: 'cause',
      title: 'Cause',
      isHead: true,
      isPlain: true,
      cell: (cause) => (
        <>
          <a class="cause-title" href={consoleAddress.accounts({ cause: cause.id })}>
            <Text text={capitalized(cause.title)} />
          </a>
          <span class="dotted fine cause-note">
            <StateMark mark={causeMarks[cause.kind]} isQuiet />
            <PlaceText place={cause.place} />
            {cause.rule === null || cause.title.includes(cause.rule) ? null : (
              <span>
                rule <Name name={cause.rule} />
              </span>
            )}
            <CauseBy cause={cause} />
            {noteOf(cause)}
          </span>
        </>
      ),
    },
    {
      key: 'accounts',
      title: 'Accounts',
      isNumber: true,
      cell: ({ accounts }) => <Count value={accounts} />,
    },
    {
      key: 'hosts',
      title: 'Hosts',
      isNumber: true,
      cell: ({ kind, hosts, assets }) =>
        assets === null ? (
          <Count value={kind === 'failure' && hosts === 0 ? null : hosts} />
        ) : (
          counted(assets, 'asset')
        ),
    },
    { key: 'since', title: 'Since', cell: ({ since }) => <Time at={since} /> },
    {
      key: 'review',
      title: 'Review',
      isTitleHidden: true,
      cell: ({ id, kind, title }) =>
        isDriftKind(kind) ? (
          <a href={consoleAddress.newRollout({ cause: id })} aria-label={`Review the plans of: ${title}`}>
            Review
          </a>
        ) : (
          <a href={consoleAddress.accounts({ cause: id })} aria-label={`Details of: ${title}`}>
            Details
          </a>
        ),
    },
  ];
}
