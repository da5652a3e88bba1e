/** The longest expression, in UTF-16 units. */
export const longestExpression = 4_000;

/** The deepest expression tree; sums and chains of fields count too. */
export const deepestTree = 250;

/** How deep brackets and prefix operators may nest. */
export const deepest = 100;

/** How deep lists and maps may nest in one value. */
export const deepestValue = 4;

/** The longest text that an expression may make, in UTF-16 units. */
export const longestText = 100_000;

/** The longest list that an expression may make. */
export const longestList = 10_000;

/** Units of work for one expression on one host: about one for each macro step or 64 characters made. */
export const mostWork = 100_000;

/** The longest regular expression, in UTF-16 units. */
export const longestPattern = 1_000;
