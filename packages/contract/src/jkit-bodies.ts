/**
 * Bodies of the JKit calls, and the check of content for each type. Separate from the answers, so that a page that
 * only reads JKits does not load the checks of chips and decoders.
 */
import * as z from 'zod/mini';
import { checkChip } from './chips/check-chip.ts';
import { checkDecoder } from './decoders/check-decoder.ts';
import { emptyOrSingleLine, plainText, singleLine, Timestamp } from './fields.ts';
import { checkJkitContent, jkitLimits, jkitText, jkitTypes } from './jkit-rules.ts';

const bodyText = 'The body must be a JSON object';
const { nameMaxLength, descriptionMaxLength, tagMaxLength, versionMaxLength } = jkitLimits;

const Name = singleLine('JKit name', jkitText.nameRequired, nameMaxLength);

const Type = z.enum(jkitTypes, `JKit type must be one of ${jkitTypes.join(', ')}`);

/**
 * JSON text, stored unchanged so that keys unknown to this version survive. `jkitContentFault` checks it, because the
 * rules depend on the type.
 */
const Content = plainText(jkitText.invalid);

const Description = plainText('Description must be text').check(
  z.trim(),
  z.maxLength(descriptionMaxLength, `Description cannot exceed ${descriptionMaxLength} characters`),
);

const Shared = z.boolean('shared must be true or false');

const Tag = singleLine('A tag', 'A tag cannot be empty', tagMaxLength);
const Tags = z.array(Tag, 'Tags must be a list of strings').check(
  z.maxLength(jkitLimits.tags, `A JKit can have at most ${jkitLimits.tags} tags`),
  z.overwrite((tags) => [...new Set(tags)]),
);

const Version = emptyOrSingleLine('Version', 'Version must be text', versionMaxLength);

export const NewJkit = z
  .object(
    {
      name: Name,
      type: z._default(Type, 'uart'),
      content: Content,
      description: z._default(Description, ''),
      shared: z._default(Shared, false),
      tags: z._default(Tags, []),
      version: z._default(Version, '1.0.0'),
    },
    bodyText,
  )
  .check((context) => {
    const fault = jkitContentFault(context.value.type, context.value.content);
    if (fault !== null) {
      context.issues.push({ code: 'custom', message: fault, path: ['content'], input: context.value.content });
    }
  });
export type NewJkit = z.infer<typeof NewJkit>;

/** A partial change: fields that are missing keep their values. */
export const JkitChange = z.object(
  {
    /** The `updatedAt` of the JKit that was edited. The change is refused if the JKit has changed since. */
    basedOn: z.optional(Timestamp),
    name: z.optional(Name),
    type: z.optional(Type),
    content: z.optional(Content),
    description: z.optional(Description),
    shared: z.optional(Shared),
    tags: z.optional(Tags),
    version: z.optional(Version),
  },
  bodyText,
);
export type JkitChange = z.infer<typeof JkitChange>;

const starsText = 'stars must be a whole number from 1 to 5';
export const NewRating = z.object(
  { stars: z.int(starsText).check(z.minimum(1, starsText), z.maximum(5, starsText)) },
  bodyText,
);
export type NewRating = z.infer<typeof NewRating>;

/** Returns a sentence that says why this content is invalid for a JKit of that type; null for valid content. */
export function jkitContentFault(type: (typeof jkitTypes)[number], content: string): string | null {
  switch (type) {
    case 'chip':
      return checkChip(content).faults[0] ?? null;
    case 'decoder':
      return checkDecoder(content).faults[0] ?? null;
    case 'uart': {
      const fault = checkJkitContent(content);
      return fault === null ? null : jkitText[fault];
    }
  }
}
