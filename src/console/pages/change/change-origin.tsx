import type { ComponentChildren } from 'preact';
import type { PlanDetail } from '../../../api/plans.ts';
import { isFolder, shortHash } from '../../../output/components/places.ts';
import { FactList } from '../../../output/components/section.tsx';
import { Name, Text } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { Time } from '../../parts/time.tsx';
import { Version } from '../../parts/version.tsx';
import { webAddress } from '../../words/web-address.ts';
import { Author } from './author.tsx';

/** Where a change comes from, and which plan exactly is decided on. */
export function ChangeOrigin({ plan }: { readonly plan: PlanDetail }) {
  const facts: (readonly [string, ComponentChildren])[] = [
    ['Checksum', <Hash key="checksum" hash={plan.checksum} />],
    [originTitle(plan), <Origin key="commit" plan={plan} />],
    ['Author', <Author key="author" author={plan.author} />],
    ['Pull request', <PullRequest key="pull" address={plan.pull_request} />],
    ['Proposed', <Time key="made" at={plan.created_at} />],
    ['Expires', <Time key="expires" at={plan.expires_at} />],
  ];
  return <FactList facts={facts} />;
}

function originTitle({ commit }: PlanDetail): string {
  if (commit === null) return 'Source';
  return isFolder(commit) ? 'Version' : 'Commit';
}

/** A hash with its first characters in view: one click selects them, and the title has all of it. */
function Hash({ hash }: { readonly hash: string }) {
  return (
    <code class="id" title={hash}>
      {shortHash(hash)}
    </code>
  );
}

function Origin({ plan: { commit, source } }: { readonly plan: PlanDetail }) {
  if (commit === null) return <Text text={source} />;
  return (
    <>
      <Version commit={commit} />{' '}
      <span class="dim">
        of <Name name={source} />
      </span>
    </>
  );
}

function PullRequest({ address }: { readonly address: string | null }) {
  if (address === null) return <span class="dim">none</span>;
  const href = webAddress(address);
  if (href === null) return <Name name={address} />;
  return (
    <>
      <a href={href} rel="noreferrer" target="_blank">
        <Name name={href.replace(/^https?:\/\/[^/]+\//, '')} />
      </a>{' '}
      <a class="dim" href={consoleAddress.changesOf(address)}>
        all its changes
      </a>
    </>
  );
}
