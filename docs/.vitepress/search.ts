/**
 * How the search of the site ranks sections: those that list commands come after those that explain them. VitePress
 * sends the function to the browser as text, so it uses nothing of this file.
 */
export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument: (id: string) =>
    id.startsWith('/reference/commands') ? 0.3 : id.startsWith('/reference/environment') ? 2 : 1,
};
