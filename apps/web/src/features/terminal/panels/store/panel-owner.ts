/**
 * Ownership of a panel's messages. Only the publisher may edit a JKit, so a panel with another publisher's JKit is
 * read-only until it is copied. Without a session, every JKit with a publisher belongs to another publisher.
 */
import { isOwnName, useIsOwnName } from '../../../../shared/session/own-names.ts';
import { sessionStore } from '../../../../shared/session/page-session.ts';
import { useSession } from '../../../../shared/session/use-session.ts';
import type { DevicePanel } from '../model/device-panel.ts';
import { panelOf } from '../model/panels.ts';
import { panelsNow } from './panels-store.ts';

type Loaded = Pick<DevicePanel, 'loadedJkit'>;

/** Returns the JKit's publisher if it is not `user`. Null if the panel may be edited. */
function ownerBesides(user: string | null, { loadedJkit }: Loaded): string | null {
  const publisher = loadedJkit?.['publisher'];
  return typeof publisher === 'string' && publisher !== '' && (user === null || !isOwnName(user, publisher))
    ? publisher
    : null;
}

/** Returns the signed-in user's name, or null if signed out. */
export const currentUser = (): string | null => sessionStore.current()?.user.name ?? null;

/** Returns the publisher that prevents the signed-in user from editing a panel, or null. Unknown panels return null. */
export function otherOwnerOf(panelId: string): string | null {
  const panel = panelOf(panelsNow().panels, panelId);
  return panel === undefined ? null : ownerBesides(currentUser(), panel);
}

/** Returns the publisher of the panel's JKit if the panel is read-only, else null. */
export function useOtherOwner(panel: Loaded): string | null {
  const { user } = useSession();
  // Subscribes to the user's known names, so that the component re-renders when one is learned.
  useIsOwnName();
  return ownerBesides(user?.name ?? null, panel);
}
