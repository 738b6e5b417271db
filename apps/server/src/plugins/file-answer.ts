/** Declares an answer that is a file instead of JSON. */
import * as z from 'zod/mini';

/** Returns an entry for `response` of a route's schema. The content of a file is not validated. */
export function fileAnswer(description: string, contentType: string) {
  return { description, content: { [contentType]: { schema: z.unknown() } } };
}
