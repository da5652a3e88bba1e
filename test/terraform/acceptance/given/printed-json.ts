const width = 110;

/** JSON with its keys in order, and on one line what fits there, so that people can read it. */
export function printedJson(value: unknown): string {
  return `${print(value, '')}\n`;
}

function print(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= width) return flat;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((each) => deeper + print(each, deeper)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${deeper}${JSON.stringify(name)}: ${print(each, deeper)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}
