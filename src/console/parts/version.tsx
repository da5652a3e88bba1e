import { isFolder, shortHash } from '../../output/components/places.ts';

/** A version of the desired state: a commit of Git, or the contents of a folder. One click selects it. */
export function Version({
  commit,
  isShort = false,
}: {
  readonly commit: string;
  readonly isShort?: boolean;
}) {
  return (
    <>
      {isFolder(commit) && !isShort ? <span class="dim">contents </span> : null}
      <code class="id" title={`${isFolder(commit) ? 'contents of the folder' : 'commit'} ${commit}`}>
        {shortHash(commit)}
      </code>
    </>
  );
}
