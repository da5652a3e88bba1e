import { success } from './answer.ts';
import { categoryList, customFieldList } from './list-text.ts';
import type { ActionHandler } from './service.ts';

/** Spec section 4, #15. */
export const listCustomFieldCategories: ActionHandler = ({ categories }) => success(categoryList(categories));

/** Spec section 4, #16. */
export const listCustomFields: ActionHandler = ({ switches }, { view }) =>
  success(customFieldList(view, { emptyToo: switches.hostsWithoutCustomFields === 'listed' }));
