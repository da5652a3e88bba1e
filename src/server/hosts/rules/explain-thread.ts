import { parentPort } from 'node:worker_threads';
import { unforeseen } from '../../../accounts/engine/unforeseen.ts';
import type { RegisterContent, RegisterRequest } from '../../../core/model/register-request.ts';
import { accountFactProblems } from '../../../core/plan/intents/account-fact-problems.ts';
import { failed, type Result } from '../../../core/problem/problem.ts';
import { createDesiredLoader } from '../../../input/load-desired.ts';
import type { HostWithFacts } from '../records/hosts.ts';
import type { ExplainReply, ExplainRequest } from './explain-message.ts';
import { createHostExplainer, type HostClaims } from './explain-stored-host.ts';

/** The thread that reads desired states to explain hosts. The files of a large account take seconds. */
const send = (reply: ExplainReply) => parentPort?.postMessage(reply);
const explain = createHostExplainer();
const asked = new Map<number, PromiseWithResolvers<readonly HostWithFacts[]>>();
/** The registers of a question are read one after the other. */
const reading = new Map<number, PromiseWithResolvers<Result<RegisterContent>>>();

parentPort?.on('message', (request: ExplainRequest) => {
  const { id } = request;
  if (request.kind === 'named') {
    if (request.hosts === null) asked.get(id)?.reject(new Error('the database failed'));
    else asked.get(id)?.resolve(request.hosts);
    asked.delete(id);
    return;
  }
  if (request.kind === 'register') {
    reading.get(id)?.resolve(request.content);
    reading.delete(id);
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
        fetchRegister(register: RegisterRequest) {
          const answer = Promise.withResolvers<Result<RegisterContent>>();
          reading.set(id, answer);
          send({ kind: 'ask-register', id, request: register });
          return answer.promise;
        },
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
