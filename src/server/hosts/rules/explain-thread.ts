import { parentPort } from 'node:worker_threads';
import { unforeseen } from '../../../accounts/engine/unforeseen.ts';
import { accountFactProblems } from '../../../core/plan/intents/account-fact-problems.ts';
import { failed, type Result } from '../../../core/problem/result.ts';
import { createDesiredLoader } from '../../../input/load-many.ts';
import type { HostWithFacts } from '../records/hosts.ts';
import type { ExplainReply, ExplainRequest } from './explain-message.ts';
import { createHostExplainer, type HostClaims } from './explain-stored-host.ts';

/** The thread that reads desired states to explain hosts. The files of a large account take seconds. */
const send = (reply: ExplainReply) => parentPort?.postMessage(reply);
const explain = createHostExplainer();
const asked = new Map<number, PromiseWithResolvers<readonly HostWithFacts[]>>();

parentPort?.on('message', (request: ExplainRequest) => {
  const { id } = request;
  if (request.kind === 'named') {
    if (request.hosts === null) asked.get(id)?.reject(new Error('the database failed'));
    else asked.get(id)?.resolve(request.hosts);
    asked.delete(id);
    return;
  }
  void claimsOf(request)
    .catch((error: unknown) => failed(unforeseen(error)))
    .then((claims) => send({ kind: 'done', id, claims }));
});

function claimsOf({
  id,
  host,
  account,
  facts,
  files: { folder, paths, noScripts },
  now,
}: Extract<ExplainRequest, { kind: 'explain' }>): Promise<Result<HostClaims>> {
  return explain(host, account, {
    facts,
    now,
    async load() {
      const options = {
        cwd: folder,
        ...(noScripts === undefined ? {} : { noScripts }),
      };
      const desired = await createDesiredLoader(options, [paths])(paths);
      const problems = desired.ok ? accountFactProblems(desired.value, facts) : [];
      return problems.length > 0 ? failed(...problems) : desired;
    },
    named(names) {
      const answer = Promise.withResolvers<readonly HostWithFacts[]>();
      asked.set(id, answer);
      send({ kind: 'ask-named', id, names });
      return answer.promise;
    },
  });
}
