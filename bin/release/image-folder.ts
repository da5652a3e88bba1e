import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../provider/refusal.ts';

/** The result of a Dockerfile, as a folder on this machine. */
export interface ImageFolder {
  readonly root: string;
  readonly user: string;
  readonly workdir: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

/** The programs of the base image that the image of Rampart uses, and some for checks. */
const programs = ['sh', 'ln', 'mkdir', 'chown', 'readlink', 'dirname', 'id', 'touch', 'rm'];
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const [uid, gid] = [1000, 1000];

/**
 * Carries out the instructions of a Dockerfile in an empty folder. Node and a few programs of this machine stand in for
 * the base image. Needs Linux, root and chroot, and no container runtime. It can't show whether the base image has
 * these programs, or what its package manager or a container runtime does.
 */
export function buildImageFolder(
  root: string,
  { dockerfile, context }: { readonly dockerfile: string; readonly context: string },
): ImageFolder {
  const image = { root, user: 'root', workdir: '/', entrypoint: [] as string[], command: [] as string[] };
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n');
  for (const line of lines.filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, instruction = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    switch (instruction) {
      case 'FROM':
        copyBase(root);
        break;
      case 'LABEL':
        break;
      case 'ADD': {
        const [archive = '', to = ''] = rest.split(' ');
        mkdirSync(join(root, to), { recursive: true });
        execFileSync('tar', ['xzf', join(context, archive), '--no-same-owner', '-C', join(root, to)]);
        break;
      }
      case 'RUN':
        // The folder has no Debian packages: their programs are on this machine, or not used in checks.
        if (rest.startsWith('apt-get ')) break;
        execFileSync('chroot', [root, '/bin/sh', '-c', rest], { env: { PATH: path } });
        break;
      case 'USER':
        image.user = rest;
        break;
      case 'WORKDIR':
        image.workdir = rest;
        break;
      case 'ENTRYPOINT':
        image.entrypoint = JSON.parse(rest) as string[];
        break;
      case 'CMD':
        image.command = JSON.parse(rest) as string[];
        break;
      default:
        throw new Refusal(`the Dockerfile has an instruction that nobody tries: ${line}`);
    }
  }
  return image;
}

function copyBase(root: string): void {
  for (const folder of ['usr/bin', 'usr/local/bin', 'etc', 'dev', 'proc', 'tmp', 'home/node'])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync('usr/bin', join(root, 'bin'));
  chownSync(join(root, 'home/node'), uid, gid);
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:/bin/sh\nnode:x:${uid}:${gid}::/home/node:/bin/sh\n`,
  );
  writeFileSync(join(root, 'etc/group'), `root:x:0:\nnode:x:${gid}:\n`);
  copyProgram(process.execPath, join(root, 'usr/local/bin/node'), root);
  for (const name of programs) {
    const found = execFileSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).trim();
    copyProgram(found, join(root, 'usr/bin', name), root);
  }
}

/** With the libraries that it loads, at the same paths. */
function copyProgram(file: string, to: string, root: string): void {
  cpSync(realpathSync(file), to);
  const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8' });
  for (const [, library = ''] of stdout.matchAll(/(\/\S+) \(0x/g)) {
    const at = join(root, dirname(library), basename(library));
    mkdirSync(dirname(at), { recursive: true });
    cpSync(realpathSync(library), at);
  }
}

/** Mounts as the compose file does: everything is read-only except the working directory and /tmp. */
const mounting = `set -e
root=$1 work=$2 workdir=$3 user=$4
shift 4
mount --bind "$root" "$root"
mount --bind "$work" "$root$workdir"
mount -t tmpfs tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
mount --bind /proc "$root/proc"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$workdir" "$@"`;

export interface ImageRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the image as its user, with a read-only root and this folder as its working directory. */
export function runInImage(
  { root, user, workdir }: ImageFolder,
  work: string,
  argv: readonly string[],
): ImageRun {
  const userspec = user === 'node' ? `${uid}:${gid}` : '0:0';
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      mounting,
      'sh',
      root,
      work,
      workdir,
      userspec,
      ...argv,
    ],
    { encoding: 'utf8', env: { PATH: path, HOME: '/home/node' } },
  );
  return { status, stdout, stderr };
}
