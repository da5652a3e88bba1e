import { type Action, api } from '../contract/api.ts';

/** The name of a call in a message: the first sentence of its endpoint's summary. */
export function actionWords(action: Action): string {
  return `"${api[action].summary.split('. ')[0]?.replace(/\.$/, '')}"`;
}
