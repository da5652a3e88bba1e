/** Our own functions that checked macros and operators call. */
export const macroCalls = {
  /** Counts one step of a macro; true while steps are left. */
  step: '@step',
  /**
   * `empty` makes a list and the next function appends an item to it, so that building a list does not copy it for each
   * item.
   */
  empty: '@empty',
  push: '@push',
  /** Returns the value itself, after counting the work of evaluating all its items. */
  weigh: '@weigh',
} as const;
