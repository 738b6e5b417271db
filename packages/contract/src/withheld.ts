/** Apart from the rest of moderation: pages of releases and JKits need no more of it. */
import * as z from 'zod/mini';

/** Why something is not shown: taken down itself, or shared by an account that was blocked. */
export const Withheld = z.object({ by: z.enum(['taken-down', 'blocked']), reason: z.string() });
export type Withheld = z.infer<typeof Withheld>;
