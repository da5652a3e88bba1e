export function notBuilt(): never {
  throw new Error('not built');
}
