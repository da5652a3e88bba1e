import type { SentMessage } from '../messages/messages.ts';
import type { Parameter, ProviderFunction } from '../provider/provider-function.ts';
import { markdownKind } from '../schema/schema.ts';
import { faultsOfType } from '../value/conformity.ts';
import { formatPath } from '../value/path.ts';
import { isWhollyKnown, typeBytes } from '../value/value.ts';
import { guarded } from './diagnostics.ts';
import { type Handlers, receivedValue, sentValue } from './handler.ts';

export const functionCalls: Handlers<'GetFunctions' | 'CallFunction'> = {
  GetFunctions: ({ provider }) => ({
    functions: Object.fromEntries(
      Object.entries(provider.functions ?? {}).map(([name, each]) => [name, functionMessage(each)]),
    ),
  }),

  CallFunction: async ({ provider }, request) => {
    const { functions = {} } = provider;
    const called = Object.hasOwn(functions, request.name) ? functions[request.name] : undefined;
    if (called === undefined) return { error: { text: `The provider has no function ${request.name}.` } };
    const given = request.arguments.map((argument, index) => {
      const parameter = called.parameters[index];
      return parameter === undefined ? null : receivedValue(argument, parameter.type);
    });
    for (const [index, value] of given.entries()) {
      const parameter = called.parameters[index];
      const fault = parameter === undefined ? undefined : faultsOfType(parameter.type, value)[0];
      if (fault !== undefined)
        return {
          error: { text: `${formatPath(fault.path)} ${fault.fault}`.trim(), functionArgument: BigInt(index) },
        };
    }
    const { reply, diagnostics = [] } = await guarded(`The function ${request.name}`, async () => ({
      reply: await called.call(given),
    }));
    if (reply === undefined)
      return { error: { text: diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join() } };
    if ('error' in reply)
      return {
        error: {
          text: reply.error,
          ...(reply.argument === undefined ? {} : { functionArgument: BigInt(reply.argument) }),
        },
      };
    const fault = faultsOfType(called.returns, reply.value)[0];
    if (fault !== undefined || !isWhollyKnown(reply.value))
      return {
        error: {
          text: `The result of ${request.name} ${fault?.fault ?? 'must be known'}. This is a bug in the provider.`,
        },
      };
    return { result: sentValue(reply.value, called.returns) };
  },
};

export function functionMessage(described: ProviderFunction): SentMessage<'Function'> {
  return {
    parameters: described.parameters.map(parameterMessage),
    return: { type: typeBytes(described.returns) },
    summary: described.summary,
    description: described.description,
    descriptionKind: markdownKind,
  };
}

function parameterMessage(parameter: Parameter): SentMessage<'Parameter'> {
  return {
    name: parameter.name,
    type: typeBytes(parameter.type),
    description: parameter.description,
    descriptionKind: markdownKind,
  };
}
