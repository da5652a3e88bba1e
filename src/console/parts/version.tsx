import { isFolder, shortHash } from '../../output/components/places.ts';
import { consoleAddress } from '../browser/address.ts';

/** A version of the desired state: a commit of Git, or the contents of a folder. It leads to all its changes. */
export function Version({
  commit,
  isShort = false,
}: {
  readonly commit: string;
  readonly isShort?: boolean;
}) {
  const kind = isFolder(commit) ? 'contents of the folder' : 'commit';
  return (
    <>
      {isFolder(commit) && !isShort ? <span class="dim">contents </span> : null}
      <a href={consoleAddress.changesOf(commit)} title={`${kind} ${commit}: show its changes`}>
        <code>{shortHash(commit)}</code>
      </a>
    </>
  );
}
