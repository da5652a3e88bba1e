import type { ActionCall, Diagnostic, ProviderAction, ProviderCall, Reply } from '../provider/call.ts';
import type { RecordValue } from '../value/value.ts';
import { guarded, notConfigured, sentDiagnostics, unknownTypeDiagnostic } from './diagnostics.ts';
import { type Handlers, receivedConfig, type StreamHandlers, validation } from './handler.ts';

export const actionCalls: Handlers<'ValidateActionConfig' | 'PlanAction'> = {
  ValidateActionConfig: (session, { actionType, config }) =>
    validation('action', actionType, session.action(actionType), config),

  PlanAction: async (session, request, signal) => {
    const action = session.action(request.actionType);
    if (action === null) return unknownTypeDiagnostic('action', request.actionType);
    const { schema, plan } = action;
    const call = session.callWith(signal);
    if (call === null) return { diagnostics: sentDiagnostics(schema, [notConfigured]) };
    if (plan === undefined) return {};
    const config = receivedConfig(request.config, schema);
    const reply = await guarded(`Planning ${request.actionType}`, () => plan(config, call));
    return { diagnostics: sentDiagnostics(schema, reply.diagnostics ?? []) };
  },
};

export const actionStreams: StreamHandlers<'InvokeAction'> = {
  async *InvokeAction(session, request, signal) {
    const action = session.action(request.actionType);
    if (action === null) {
      yield { completed: unknownTypeDiagnostic('action', request.actionType) };
      return;
    }
    const { schema } = action;
    const completed = (diagnostics: readonly Diagnostic[]) => ({
      completed: { diagnostics: sentDiagnostics(schema, diagnostics) },
    });
    const call = session.callWith(signal);
    if (call === null) {
      yield completed([notConfigured]);
      return;
    }
    const config = receivedConfig(request.config, schema);
    const run = startAction(request.actionType, action, config, call);
    for (;;) {
      const next = await run.next();
      if (typeof next !== 'string') {
        yield completed(next.diagnostics ?? []);
        return;
      }
      yield { progress: { message: next.toWellFormed() } };
    }
  },
};

/** Runs an action. `next` returns each message in order, then the response. */
function startAction<Client>(
  actionType: string,
  action: ProviderAction<Client>,
  config: RecordValue,
  call: ProviderCall<Client>,
): { next(): Promise<string | Reply> } {
  const messages: string[] = [];
  let reply: Reply | undefined;
  let wake = Promise.withResolvers<void>();
  const ofAction: ActionCall<Client> = {
    ...call,
    progress(message) {
      messages.push(message);
      wake.resolve();
    },
  };
  void guarded(`Running ${actionType}`, () => action.invoke(config, ofAction)).then((given) => {
    reply = given;
    wake.resolve();
  });
  return {
    async next() {
      for (;;) {
        const message = messages.shift();
        if (message !== undefined) return message;
        if (reply !== undefined) return reply;
        await wake.promise;
        wake = Promise.withResolvers<void>();
      }
    },
  };
}
