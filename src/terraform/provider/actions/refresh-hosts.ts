import { count, firstFew } from '../../../core/lib/words.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { problem } from '../../../core/problem/problem.ts';
import { sendRefresh } from '../../../service/wire/send-refresh.ts';
import type { ActionCall, Reply } from '../../protocol/provider/call.ts';
import { type ProviderService, type Rampart, toDiagnostics } from '../service.ts';

const batchSize = 1000;
const listed = 10;

/** Asks each host once. Hosts that may not have received the command are an error. */
export async function refreshHosts(
  { session }: ProviderService,
  hosts: readonly HostId[],
  { signal, progress }: ActionCall<Rampart>,
): Promise<Reply> {
  progress(`Asking ${count(hosts.length, 'host')} to report`);
  const { outcomes, problems } = await sendRefresh(hosts, {
    client: session.client,
    stop: signal,
    batchSize,
  });
  const missed = hosts.filter((id) => outcomes.get(id) !== 'sent');
  progress(`${hosts.length - missed.length} of ${count(hosts.length, 'host')} received the command`);
  const diagnostics = toDiagnostics(problems, ['host_ids']);
  if (missed.length === 0) return { diagnostics };
  const named = firstFew(missed, listed, (id) => `${id} (${outcomes.get(id)})`);
  const unreached = problem(
    'step-failed',
    `${missed.length} of ${count(hosts.length, 'host')} may not have received the command: ${named}`,
    { hint: 'run the action again when the offline hosts are back online', hostIds: missed },
  );
  return { diagnostics: [...diagnostics, ...toDiagnostics([unreached], ['host_ids'])] };
}
