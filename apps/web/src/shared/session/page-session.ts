/** The session of this page, shared by all tabs. */
import { browserStorage } from '../storage/browser-storage.ts';
import { SessionStore } from './session-store.ts';

export const sessionStore = new SessionStore(browserStorage, window);
