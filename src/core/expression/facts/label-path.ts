/** A label as expressions write it: `account.labels.region`. */
export function labelPath(label: string): string {
  return /^[a-zA-Z_]\w*$/.test(label)
    ? `account.labels.${label}`
    : `account.labels[${JSON.stringify(label)}]`;
}

/** An entry of a map of facts as messages show it. A key that is not constant is not shown: it may be a cell of a table. */
export function entryLabel(path: string, key: string | undefined): string {
  if (key === undefined) return `${path}[…]`;
  return path === 'account.labels' ? labelPath(key) : `${path}[${JSON.stringify(key)}]`;
}
