/** Input of the release routes besides the request's body. */
import * as z from 'zod/mini';

export const FileParams = z.object({ id: z.string(), fileId: z.string() });

/** Bytes of a JSON body. The longest description needs half of it in any encoding. */
export const BODY_LIMIT = 64 * 1_024;
