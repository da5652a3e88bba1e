import { registerHooks } from 'node:module';

/**
 * Redirects every import of `cdktf` to `cdktn`, the maintained fork, so that a program has one core: `node --import
 * rampart/cdktf/on-cdktn main.ts`. It must run before anything loads either package.
 */
registerHooks({
  resolve: (specifier, context, next) => next(specifier.replace(/^cdktf(?=\/|$)/, 'cdktn'), context),
});
