export declare function ownCacheFolder(
  env?: Readonly<Record<string, string | undefined>>,
): string | undefined;
