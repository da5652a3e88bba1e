import { execFileSync } from 'node:child_process';
import { Refusal } from '../provider/refusal.ts';

/**
 * Packs a folder below `parent` as `file`, a compressed tar archive that has the same bytes whenever and wherever it is
 * made from the same files.
 */
export function archive(
  file: string,
  { parent, folder }: { readonly parent: string; readonly folder: string },
): void {
  try {
    execFileSync(
      'tar',
      [
        '--create',
        '--file',
        file,
        '--use-compress-program=gzip --no-name --best',
        '--format=ustar',
        '--sort=name',
        '--mtime=@315532800',
        '--owner=0',
        '--group=0',
        '--numeric-owner',
        '--mode=go=rX,u+rw',
        '--directory',
        parent,
        folder,
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
  } catch (error) {
    throw new Refusal(`packing ${file} needs GNU tar and gzip: ${(error as Error).message}`);
  }
}
