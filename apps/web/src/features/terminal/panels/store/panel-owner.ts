/**
 * Whose messages a panel holds: only the publisher edits a jkit, so a panel that holds somebody else's is read-only until it is
 * copied. Who is signed in decides; without a session every jkit with a publisher is somebody else's.
 */
import { isOwnName, useIsOwnName } from '../../../../shared/session/own-names.ts';
import { sessionStore } from '../../../../shared/session/page-session.ts';
import { useSession } from '../../../../shared/session/use-session.ts';
import type { DevicePanel } from '../model/device-panel.ts';
import { panelOf } from '../model/panels.ts';
import { panelsStore } from './panels-store.ts';

type Loaded = Pick<DevicePanel, 'loadedJkit'>;

/** Who published the jkit, when that is not `user`; null when the panel may be edited. */
function ownerBesides(user: string | null, { loadedJkit }: Loaded): string | null {
  const publisher = loadedJkit?.['publisher'];
  return typeof publisher === 'string' && publisher !== '' && (user === null || !isOwnName(user, publisher))
    ? publisher
    : null;
}

/** Name that the signed-in user signs in with; null for nobody. */
export const currentUser = (): string | null => sessionStore.current()?.user.name ?? null;

/** The same for a panel of the page, and whoever is signed in now. A panel that is not there has no owner. */
export function otherOwnerOf(panelId: string): string | null {
  const panel = panelOf(panelsStore.getState().panels, panelId);
  return panel === undefined ? null : ownerBesides(currentUser(), panel);
}

/** Whose jkit the panel holds, when it is read-only. */
export function useOtherOwner(panel: Loaded): string | null {
  const { user } = useSession();
  // Asked for, so that what is learned shows.
  useIsOwnName();
  return ownerBesides(user?.name ?? null, panel);
}
