/** Addresses that lead out of the release manager: release pages and flashers, all of which open in a new tab. */
import { type DeviceFamily, flasherPath, releasePath } from '@wirebench/contract';
import type { ItemType } from '../release-texts.ts';

/** An item as far as its address needs it. */
export interface LinkedItem {
  readonly _id: string;
  readonly shareId: string;
}

/** The share link as people hand it on. @param origin such as `https://wirebench.example` */
export function shareLink(origin: string, type: ItemType, shareId: string): string {
  return `${origin}${releasePath(type, shareId)}`;
}

/** The release page as its owner opens it, private or not. */
export function ownerPage(type: ItemType, { _id, shareId }: LinkedItem, isPublic: boolean): string {
  return `${releasePath(type, isPublic ? shareId : _id)}&owned=true`;
}

/** The flasher of a family with a version filled in: by its share id, or for the owner's eyes while it is private. */
export function flasherPage(family: DeviceFamily, { _id, shareId }: LinkedItem, isPublic: boolean): string {
  return isPublic ? flasherPath(family, 'version', shareId) : `${flasherPath(family, 'version', _id)}&owned=true`;
}
