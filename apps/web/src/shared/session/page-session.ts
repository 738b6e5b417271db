/** The session of this page, shared by all tabs. */
import { hasServer } from '../edition.ts';
import { browserStorage, memoryStorage } from '../storage/browser-storage.ts';
import { SessionStore } from './session-store.ts';

/** Without a server there is no session, not even one that another page of this origin has stored. */
export const sessionStore = new SessionStore(hasServer ? browserStorage : memoryStorage(), window);
