/** Ids in addresses. One that cannot exist is answered like one that does not: as nothing, not as a mistake. */
import * as z from 'zod/mini';
import { ApiError } from '../api-error.ts';

export const IdParams = z.object({ id: z.string() });

const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** `text` as an id. Throws 404 when it is none, before a database sees characters that it cannot take. */
export function idOf(text: string): string {
  if (!ID.test(text)) {
    throw new ApiError('not-found');
  }
  return text;
}
