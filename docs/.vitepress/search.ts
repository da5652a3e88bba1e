/**
 * How the search of the site ranks sections: those that list commands come after those that explain them. Words that are
 * in every sentence are not searched, or each of their letters would be marked in the results. VitePress sends the
 * functions to the browser as text, so they use nothing of this file.
 */
export const searchOptions = {
  // Another letter makes another word of a short one: how, now.
  fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument: (id: string) =>
    id.startsWith('/reference/commands') ? 0.3 : id.startsWith('/reference/environment') ? 2 : 1,
  processTerm: (term: string) =>
    /^([a-z]|an|and|be|by|can|do|does|for|how|in|is|it|may|of|on|or|the|to|what|which|with)$/i.test(term)
      ? null
      : term.toLowerCase(),
};
