/** Bodies and answers of the calls about the caller's own account. */
import * as z from 'zod/mini';
import { plainText } from './fields.ts';
import { checkPublicName, normalizePublicName, publicNameText } from './public-names.ts';

/**
 * `publicName` is shown to everyone as the publisher. `isChosen` is false for a name that the server has assigned.
 * `blocked` holds the reason if the account may not share anything, and is null otherwise.
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
