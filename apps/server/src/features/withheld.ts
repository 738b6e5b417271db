/** What was taken down, or shared by an account that was blocked: its owner sees why, and nobody else sees it. */
import { moderationText, type Withheld } from '@wirebench/contract';
import { ApiError } from '../api-error.ts';
import type { WithheldColumns } from '../storage/database/firmware-tables.ts';

/** The part of an answer to its owner; nothing for an item that is not withheld. */
export function withheldOf({ withheld, withheld_reason: reason }: WithheldColumns): { withheld?: Withheld } {
  return !withheld ? {} : { withheld: { by: withheld, reason: reason ?? '' } };
}

/** Throws when the item is withheld, so that its owner cannot make it public again. */
export function requireShown({ withheld, withheld_reason: reason }: WithheldColumns): void {
  if (withheld !== null) {
    throw new ApiError('own-taken-down', { message: moderationText.ownTakenDown(reason ?? '') });
  }
}
