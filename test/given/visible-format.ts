/** Prepended concatenation marks of Unicode: format characters that are drawn, around or before digits or letters. */
export const visibleFormat = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
