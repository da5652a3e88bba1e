import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bindingsText } from './cdktf/bindings.ts';
import { clientFiles } from './client/client-files.ts';
import { reportText } from './page/report-text.ts';
import { messagesText } from './protobuf/messages-text.ts';

const root = join(import.meta.dirname, '..');

/** Writes the sources that no one writes by hand and Git does not keep, unless they are up to date. */
export function generate(): void {
  const proto = readFileSync(join(root, 'src/terraform/protocol/tfplugin6.proto'), 'utf8');
  writeIfChanged('src/terraform/protocol/generated/messages.ts', messagesText(proto));
  writeIfChanged('src/cdktf/generated/bindings.ts', bindingsText());
  const serverApi = JSON.parse(readFileSync(join(root, 'schema/server-api.json'), 'utf8'));
  for (const [name, text] of Object.entries(clientFiles(serverApi)))
    writeIfChanged(`src/api/client/generated/${name}`, text);
  writeIfChanged('src/output/page/generated/report.ts', reportText());
}

/** An unchanged file keeps its time, so that builds that compare times do nothing. */
function writeIfChanged(path: string, text: string): void {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  // Several processes may write at once, and others read.
  const written = `${file}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, file);
}

if (import.meta.main) generate();
