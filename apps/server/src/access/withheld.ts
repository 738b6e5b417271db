/**
 * Items that were taken down or belong to a blocked account. The owner sees the reason. Other users do not see the
 * item.
 */
import { moderationText, type Withheld } from '@wirebench/contract';
import { ApiError } from '../api-error.ts';
import type { WithheldColumns } from '../storage/database/firmware-tables.ts';

/** Returns the part of an answer to the owner; empty if the item is not withheld. */
export function withheldOf({ withheld, withheld_reason: reason }: WithheldColumns): { withheld?: Withheld } {
  // An item that a newer server withholds for another reason stays withheld here.
  const by = withheld === 'blocked' ? 'blocked' : 'taken-down';
  return !withheld ? {} : { withheld: { by, reason: reason ?? '' } };
}

/**
 * Checks that the item is not withheld, so that its owner cannot make it public again.
 *
 * @throws ApiError if it is withheld.
 */
export function requireShown({ withheld, withheld_reason: reason }: WithheldColumns): void {
  if (withheld !== null) {
    throw new ApiError('own-taken-down', { message: moderationText.ownTakenDown(reason ?? '') });
  }
}
