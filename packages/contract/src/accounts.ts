/** Bodies and answers of the calls about your own account. */
import * as z from 'zod/mini';
import { plainText } from './fields.ts';
import { checkPublicName, normalizePublicName, publicNameText } from './public-names.ts';

/**
 * `publicName` is what everybody sees as publisher; `isChosen` is false for one that the server has given. `blocked` says why the
 * account may not share anything, and is null for one that may.
 */
export const Account = z.object({
  publicName: z.string(),
  isChosen: z.boolean(),
  blocked: z.nullable(z.object({ reason: z.string() })),
});
export type Account = z.infer<typeof Account>;

export const AccountAnswer = z.object({ account: Account });
export type AccountAnswer = z.infer<typeof AccountAnswer>;

export const PublicNameChange = z.object(
  {
    publicName: plainText(publicNameText.empty).check((context) => {
      const fault = checkPublicName(context.value);
      if (fault !== null) {
        context.issues.push({ code: 'custom', message: publicNameText[fault], input: context.value });
      }
    }, z.overwrite(normalizePublicName)),
  },
  'The body must be a JSON object',
);
export type PublicNameChange = z.infer<typeof PublicNameChange>;
