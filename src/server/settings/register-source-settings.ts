import { line, list, type Setting, section, text } from '../../accounts/config/setting.ts';
import { duration } from '../../accounts/config/setting-values.ts';
import type { RegisterSource } from './server-settings.ts';

const registerName = line({
  words: 'small letters, digits and hyphens, such as snipe',
  parse: (given) => (/^[a-z][a-z0-9-]{0,40}$/.test(given) ? given : undefined),
});

/** A register that desired states may read. Its address and credentials are in the environment, as for the command line. */
export const registerSourceSettings: Setting<RegisterSource> = section(
  {
    name: {
      is: registerName,
      meaning: 'The name that tables give as "source". RAMPART_SOURCE_ and this name begin its variables.',
      required: true,
    },
    sources: {
      is: list(text),
      meaning:
        'The sources whose desired states may read the register. Required if the server has several sources.',
    },
    every: {
      is: duration(60_000, 7 * 86_400_000, 'from 1m to 7d'),
      meaning: 'How long one read of the register serves all accounts. Default: the cadence.',
    },
  } as const,
  ({ name = '', sources, every }, { place }) => ({
    name,
    place,
    ...(sources === undefined ? {} : { sources }),
    ...(every === undefined ? {} : { everyMs: every }),
  }),
);
