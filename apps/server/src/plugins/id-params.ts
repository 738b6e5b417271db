/** Ids in addresses. An impossible id is answered like an unknown one: not found, instead of an invalid request. */
import * as z from 'zod/mini';
import { ApiError } from '../api-error.ts';

export const IdParams = z.object({ id: z.string() });

const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * Returns `text` as an id.
 *
 * @throws ApiError `not-found` for an invalid id, before its characters reach a database that may not accept them.
 */
export function idOf(text: string): string {
  if (!ID.test(text)) {
    throw new ApiError('not-found');
  }
  return text;
}
