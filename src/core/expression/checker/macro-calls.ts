/** Functions of ours that checked macros and operators call. */
export const macroCalls = {
  /** Counts one step of a macro; true as long as steps are left. */
  step: '@step',
  /** A new empty list, and one more item put into it: a list that is made item by item is not copied for each. */
  empty: '@empty',
  push: '@push',
  /** The value itself, before all its items are evaluated. */
  weigh: '@weigh',
} as const;
