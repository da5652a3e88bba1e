/** A label as expressions write it: `account.labels.region`. */
export function labelPath(label: string): string {
  return /^[a-zA-Z_]\w*$/.test(label)
    ? `account.labels.${label}`
    : `account.labels[${JSON.stringify(label)}]`;
}
