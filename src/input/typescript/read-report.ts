import type { EncodedValue, ScriptPlace, ScriptReport } from '../sources/script-output.ts';

/** Deeper than any value that the encoder accepts. */
const maxDepth = 200;

/**
 * Reads the report of the child process. The script runs in that process and may have written the report itself, so
 * each part is checked. Undefined if the child ended before it reported, or if this is not a report.
 */
export function readReport(text: string): ScriptReport | undefined {
  try {
    const report: unknown = JSON.parse(text);
    return isReport(report) ? report : undefined;
  } catch {
    return undefined;
  }
}

function isReport(value: unknown): value is ScriptReport {
  if (!isObject(value)) return false;
  if (value['kind'] === 'value') return isEncoded(value['value'], 0);
  return (
    value['kind'] === 'failed' &&
    typeof value['message'] === 'string' &&
    isOptionalText(value['hint']) &&
    isOptionalPlace(value['at'])
  );
}

function isEncoded(value: unknown, depth: number): value is EncodedValue {
  if (typeof value === 'string') return true;
  if (!isObject(value) || depth > maxDepth) return false;
  if ('plain' in value) return typeof value['plain'] === 'string';
  const { items, members, refused, hint, at } = value;
  if ('items' in value) return Array.isArray(items) && items.every((each) => isEncoded(each, depth + 1));
  if ('members' in value) {
    return (
      Array.isArray(members) && isOptionalPlace(at) && members.every((each) => isMember(each, depth + 1))
    );
  }
  return typeof refused === 'string' && isOptionalText(hint);
}

function isMember(value: unknown, depth: number): boolean {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && isEncoded(value[1], depth)
  );
}

function isOptionalPlace(value: unknown): value is ScriptPlace | undefined {
  if (value === undefined) return true;
  if (!isObject(value)) return false;
  const { file, line, col } = value;
  return typeof file === 'string' && isCount(line) && (col === undefined || isCount(col));
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
