/** What probes read. A server that is not ready answers with an error in place of this. */
import * as z from 'zod/mini';

export const Health = z.object({ status: z.literal('ok') });
export type Health = z.infer<typeof Health>;
