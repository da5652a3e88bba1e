import { registerHooks } from 'node:module';

/**
 * Has everything that asks for `cdktf` get `cdktn`, the maintained fork, so that a program has one core:
 * `node --import rampart/cdktf/on-cdktn main.ts`. It has to run before anything loads either.
 */
registerHooks({
  resolve: (specifier, context, next) => next(specifier.replace(/^cdktf(?=\/|$)/, 'cdktn'), context),
});
