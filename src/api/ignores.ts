import { z } from 'zod';
import { attribute, namedShapes, reasonText, shape, subject, time } from './resource.ts';

/** A difference that someone decided to ignore. It counts again after `until`, or if the fleet changes once more. */
export const ignore = shape('Ignore', {
  id: z.string(),
  account: z.string(),
  host_id: z.string(),
  name: z.string().nullable(),
  attribute,
  /** The value in the fleet that is ignored. */
  live: z.string().nullable(),
  reason: z.string(),
  by: subject,
  at: time,
  until: time,
});
export type Ignore = z.infer<typeof ignore>;

/** The differences to ignore: those named, or all that the last check found for a cause. */
export const ignoreRequest = z
  .strictObject({
    differences: z
      .array(
        z.strictObject({
          host_id: z.string().min(1).max(30).describe('The id of the host.'),
          attribute: attribute.describe('What differs.'),
        }),
      )
      .min(1)
      .max(500)
      .optional()
      .describe('The differences to ignore. Give exactly one of `differences` and `cause`.'),
    cause: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'The id of a cause: ignore all differences that the last check found for it. Give exactly one of `differences` and `cause`.',
      ),
    reason: reasonText.describe('Why they are ignored.'),
    until: time.describe('When they count again: at most 366 days from now.'),
  })
  .refine(({ differences, cause }) => (differences === undefined) !== (cause === undefined), {
    message: 'expected exactly one of differences and cause',
  })
  .meta({
    examples: [
      {
        differences: [{ host_id: '8123400001', attribute: 'name' }],
        reason: 'The till is on loan.',
        until: '2026-12-23T08:00:00.000Z',
      },
    ],
  })
  .register(namedShapes, { id: 'IgnoreRequest' });

/** How many differences are ignored until when. The check that follows counts them as such. */
export const ignored = shape('Ignored', { differences: z.int(), until: time });
export type IgnoreAnswer = z.infer<typeof ignored>;
