/** Bodies and queries of the calls about the page of a project: its sentence and its picture. */
import * as z from 'zod/mini';
import { singleLine } from './fields.ts';
import { pictureLimits, pictureText, pictureThemes, sentenceLimits, sentenceText } from './picture-rules.ts';

const PictureWords = singleLine('The alternative text', pictureText.textRequired, pictureLimits.textMaxLength);

/**
 * Change of what the page of a project says. A sentence of null removes it, and a field that is missing stays as it is. The
 * alternative text is for a project with a picture.
 */
export const ProjectPageChange = z.object(
  {
    sentence: z.optional(
      z.nullable(
        singleLine('The sentence', sentenceText, sentenceLimits.maxLength).check(
          z.minLength(sentenceLimits.minLength, sentenceText),
        ),
      ),
    ),
    pictureText: z.optional(PictureWords),
  },
  'The body must be a JSON object',
);
export type ProjectPageChange = z.infer<typeof ProjectPageChange>;

const Theme = z.enum(pictureThemes, `theme must be one of ${pictureThemes.join(', ')}`);

/** Theme of a picture's file. */
export const PictureQuery = z.object({ theme: z._default(Theme, 'light') });

/** `text` is needed for the first file of a project. It comes before the file. */
export const PictureForm = z.object({ text: z.optional(PictureWords), picture: z.file() });
