/** Has a property try a quarter of this many cases, or all of them with `RAMPART_SOAK=1`. */
export function casesOf(all: number): { readonly numRuns: number } {
  return { numRuns: process.env['RAMPART_SOAK'] === '1' ? all : Math.ceil(all / 4) };
}
