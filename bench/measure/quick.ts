/** With `--quick`, a benchmark takes a smaller sample. */
export const isQuick = process.argv.includes('--quick');
