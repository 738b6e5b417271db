/** Answer of the health and readiness probes. A server that is not ready answers with an error instead. */
import * as z from 'zod/mini';

export const Health = z.object({ status: z.literal('ok') });
export type Health = z.infer<typeof Health>;
