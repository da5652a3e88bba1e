import { isFolder, shortHash } from '../../output/components/places.ts';
import { consoleAddress } from '../browser/address.ts';

/** A version of the desired state: a commit of Git, or the contents of a folder. It leads to all its changes. */
export function Version({ commit }: { readonly commit: string }) {
  const kind = isFolder(commit) ? 'version of the folder' : 'commit';
  return (
    <a href={consoleAddress.changesOf(commit)} title={`${kind} ${commit}: show its changes`}>
      <code>{shortHash(commit)}</code>
    </a>
  );
}
