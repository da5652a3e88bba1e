import { isFolder, shortHash } from '../words/places.ts';

/** A version of the desired state: a commit of Git, or the contents of a folder. One click selects it. */
export function Version({ commit }: { readonly commit: string }) {
  return (
    <>
      {isFolder(commit) ? <span class="dim">contents </span> : null}
      <code class="id" title={commit}>
        {shortHash(commit)}
      </code>
    </>
  );
}
