import type { MessageTable } from '../protobuf/message-table.ts';

/** The calls about actions. [1.14] */
export const actionMessages = {
  'ValidateActionConfig.Request': { actionType: [1, 'string'], config: [2, 'DynamicValue'] },
  'PlanAction.Request': {
    actionType: [1, 'string'],
    config: [2, 'DynamicValue'],
    clientCapabilities: [3, 'ClientCapabilities'],
  },
  'PlanAction.Response': { diagnostics: [1, 'Diagnostic', 'repeated'], deferred: [2, 'Deferred'] },
  'InvokeAction.Request': {
    actionType: [1, 'string'],
    config: [2, 'DynamicValue'],
    clientCapabilities: [3, 'ClientCapabilities'],
  },
  /** One of the two. */
  'InvokeAction.Event': { progress: [1, 'ActionProgress'], completed: [2, 'Diagnostics'] },
  ActionProgress: { message: [1, 'string'] },
} as const satisfies MessageTable;
