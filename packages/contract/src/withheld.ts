/**
 * Schema of the reason why something is withheld. Separate from `moderation.ts`, because pages of releases and JKits
 * need only this part of it.
 */
import * as z from 'zod/mini';

/** Reason why something is not shown: it was taken down, or its owner was blocked. */
export const Withheld = z.object({ by: z.enum(['taken-down', 'blocked']), reason: z.string() });
export type Withheld = z.infer<typeof Withheld>;
