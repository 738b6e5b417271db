/** The session of this page: the one that all tabs share. */
import { browserStorage } from '../storage/browser-storage.ts';
import { SessionStore } from './session-store.ts';

export const sessionStore = new SessionStore(browserStorage, window);
