import type { CauseRecord } from '../../../control/store/causes.ts';
import type { DriftRecord, HostRecord } from '../../../control/store/hosts.ts';
import type { PlannedHost, ReviewAction } from '../../../output/review/planned-hosts.ts';
import type { HostDetail } from '../../api/hosts.ts';

/**
 * What decides each attribute of a host, as the last check left it: the line or rule of the open plan, else the cause of
 * the difference, or that there is none.
 */
export function explainHost(
  host: HostRecord,
  drift: readonly DriftRecord[],
  causes: readonly CauseRecord[],
  planned?: PlannedHost,
): HostDetail['explain'] {
  const titles = new Map(causes.map((each) => [each.id, each]));
  const differing = drift.map(({ attribute, desired, cause }) => {
    if (planned?.action.includes(actionOf[attribute]) === true)
      return { attribute, value: desired, decided_by: planned.cause, place: { ...planned.place } };
    const found = titles.get(cause);
    return {
      attribute,
      value: desired,
      decided_by: found?.title ?? cause,
      ...(found?.place === undefined || found.place === null ? {} : { place: { ...found.place } }),
    };
  });
  const settled = [
    { attribute: 'name', value: host.name },
    { attribute: 'group', value: host.group },
  ].filter(({ attribute }) => !drift.some((each) => each.attribute === attribute));
  return [
    ...differing,
    ...settled.map((each) => ({ ...each, decided_by: 'no difference from the desired state' })),
  ];
}

const actionOf: Readonly<Record<DriftRecord['attribute'], ReviewAction>> = {
  name: 'rename',
  group: 'move',
  antivirus: 'install',
  presence: 'delete',
};
