import { z } from 'zod';

/** Shapes with a name in the OpenAPI document, and so in generated clients. All others are inlined. */
export const namedShapes = z.registry<{ id: string }>();

export function shape<const Fields extends z.core.$ZodShape>(id: string, fields: Fields) {
  return z.object(fields).register(namedShapes, { id });
}

/** The same for a request: a field that it does not know is refused. */
export function strictShape<const Fields extends z.core.$ZodShape>(id: string, fields: Fields) {
  return z.strictObject(fields).register(namedShapes, { id });
}

/** A time in UTC, such as `2026-11-23T08:00:00.000Z`. */
export const time = z.iso.datetime();

export const checksumOfPlan = z
  .string()
  .min(8)
  .describe('The checksum of the plan that you reviewed. Another plan is refused.');

/** What the approver of a plan gives for the limits that it exceeds. */
export const exactNumbers = z
  .record(z.string(), z.int())
  .default({})
  .describe('Exact numbers for the limits that the plan exceeds, such as `{ "delete": 12 }`.');

/** Why a person does something. Blanks do not count as a reason. */
export const reasonText = z.string().min(1).max(500).regex(/\S/);

/** Part of a list. `next` is the cursor of the following page; absent on the last one. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    next: z.string().optional(),
    /** All items that match, if counting them is cheap. */
    total: z.int().optional(),
  });

/** Query parameters of every list. */
export const pageQuery = z.object({
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** The parameter of paths of one plan, run or rollout. */
export const idParams = z.object({ id: z.string().min(1).max(100) });

/** The parameter of paths of one account. */
export const accountParams = z.object({ name: z.string().min(1).max(200) });

/** The location of something in the source: `policies/kiosks.yaml:12`. */
export const sourcePlace = shape('SourcePlace', {
  file: z.string(),
  line: z.int().optional(),
  column: z.int().optional(),
});

/** RFC 9457, with Rampart's code, place and hint. */
export const problemBody = shape('Problem', {
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  /** A code of docs/reference/problems.md. */
  code: z.string(),
  hint: z.string().optional(),
  place: sourcePlace.optional(),
  /** All problems, if there are several. */
  problems: z
    .array(
      z.object({
        code: z.string(),
        message: z.string(),
        hint: z.string().optional(),
        place: sourcePlace.optional(),
      }),
    )
    .optional(),
});
export type ProblemBody = z.infer<typeof problemBody>;

/** Work that was queued. Its end is an event. */
export const accepted = shape('Accepted', { accounts: z.int(), queued: z.int() });
export type Accepted = z.infer<typeof accepted>;

/** Who did something: a person, a token or a pipeline. */
export const subject = shape('Subject', {
  kind: z.enum(['person', 'token', 'pipeline', 'server', 'operator']),
  id: z.string(),
  name: z.string(),
});

/** The attributes of a host that can differ. */
export const attribute = z.enum(['name', 'group', 'antivirus', 'presence']);
export type HostAttribute = z.infer<typeof attribute>;
