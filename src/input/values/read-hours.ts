import type { ChangeWindow } from '../../core/model/change-window.ts';
import { parseChangeWindow } from '../../core/model/parse-change-window.ts';
import type { Span } from '../sources/source-text.ts';
import type { YamlNode } from '../sources/yaml-tree.ts';
import { readText } from './read-text.ts';
import { type Reading, report } from './reading.ts';
import { spanInScalar } from './span-in-scalar.ts';

/** One window, or a list of windows of which any may be open. */
export function readHours(reading: Reading, node: YamlNode, at: Span): readonly ChangeWindow[] | undefined {
  const items = node.kind === 'sequence' ? node.items : [node];
  if (items.length === 0) {
    return report(reading, at, 'invalid-value', '"only" lists no hours, which would block every change', {
      hint: 'write, for example, only: "Mon-Fri 20:00-06:00 Europe/Berlin"; to stop all changes, use "freeze"',
    });
  }
  const windows = items.flatMap((item) => readWindow(reading, item, items.length === 1 ? at : item) ?? []);
  return windows.length === items.length ? windows : undefined;
}

function readWindow(reading: Reading, node: YamlNode, at: Span): ChangeWindow | undefined {
  const text = readText(reading, node, '"only"', at);
  if (text === undefined || node.kind !== 'scalar') return undefined;
  const parsed = parseChangeWindow(text);
  if (parsed.ok) return parsed.window;
  for (const { message, hint, ...part } of parsed.faults) {
    report(reading, spanInScalar(reading.source, node, part), 'invalid-value', message, { hint });
  }
  return undefined;
}
