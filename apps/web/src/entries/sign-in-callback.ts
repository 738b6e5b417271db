/** Redirect target of the sign-in window: passes the identity provider's answer to the page that opened it. */
import { UserManager } from 'oidc-client-ts';
import '../shared/styles/global.css';

// Only passes its own address on: what the settings would say is known to the page that waits for it.
const messenger = new UserManager({ authority: location.origin, client_id: '', redirect_uri: '' });
await messenger.signinPopupCallback();
