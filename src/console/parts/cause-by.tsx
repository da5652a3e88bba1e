import type { Cause } from '../../api/accounts.ts';
import { isFolder } from '../../output/components/places.ts';
import { Name } from '../../output/components/text.tsx';
import { consoleAddress } from '../browser/address.ts';
import { authorParts } from '../words/author.ts';
import { Version } from './version.tsx';

/** The person behind a cause, or why nobody is named. */
export function CauseBy({ cause: { kind, by } }: { readonly cause: Cause }) {
  if (kind === 'failure') return null;
  if (kind === 'fleet') return <span>the service doesn't record who</span>;
  if (by === null) return null;
  const others = by.others ? ' and others' : '';
  if (by.kind === 'run')
    return (
      <span>
        left by a <a href={consoleAddress.audit({ q: by.id })}>run</a> of{' '}
        <Name name={by.name ?? 'an unnamed person'} />
        {others}
      </span>
    );
  if (isFolder(by.id))
    return (
      <span>
        since the files changed (<Version commit={by.id} />
        {others})
      </span>
    );
  return (
    <span>
      since <Version commit={by.id} />{' '}
      {by.name === null ? (
        '(unknown author)'
      ) : (
        <>
          by <Name name={authorParts(by.name).name} />
        </>
      )}
      {others}
    </span>
  );
}
