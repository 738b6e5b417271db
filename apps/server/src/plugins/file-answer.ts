/** An answer that is a file and no JSON, as routes declare it. */
import * as z from 'zod/mini';

/** For `response` of a route's schema. Bytes are no text that a schema could check. */
export function fileAnswer(description: string, contentType: string) {
  return { description, content: { [contentType]: { schema: z.unknown() } } };
}
