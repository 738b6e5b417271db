/** Addresses outside of the release manager: release pages and flashers. All of them open in a new tab. */
import { type FamilyId, flasherPath, releasePath } from '@wirebench/boards';
import type { ReleaseChannel } from '@wirebench/contract';
import type { ItemType } from '../release-texts.ts';

/** The fields of an item that its address needs. */
export interface LinkedItem {
  readonly _id: string;
  readonly shareId: string;
}

/**
 * Returns the share link to give to others.
 * @param origin Such as `https://wirebench.example`.
 */
export function shareLink(origin: string, type: ItemType, shareId: string, channel: ReleaseChannel = 'stable'): string {
  return `${origin}${releasePath(type, shareId)}${channel === 'beta' ? '&channel=beta' : ''}`;
}

/** Returns the owner's address of the release page, which works for private items, too. */
export function ownerPage(type: ItemType, { _id, shareId }: LinkedItem, isPublic: boolean): string {
  return `${releasePath(type, isPublic ? shareId : _id)}&owned=true`;
}

/**
 * Returns the address of a family's flasher with a version selected: by its share id, or by its own id for the owner
 * of a private version.
 */
export function flasherPage(family: FamilyId, { _id, shareId }: LinkedItem, isPublic: boolean): string {
  return isPublic ? flasherPath(family, 'version', shareId) : `${flasherPath(family, 'version', _id)}&owned=true`;
}
