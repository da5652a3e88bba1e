/** With `--quick` a bench takes a bounded sample of what it measures otherwise. */
export const isQuick = process.argv.includes('--quick');
