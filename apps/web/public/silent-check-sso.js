// Posts this page's address, with the identity provider's answer in it, to the page that asked: as plain text, which is how
// Keycloak's adapters and src/shared/session/silent-frame.ts expect it.
const asker = window.parent === window ? window.opener : window.parent;
asker?.postMessage(location.href, location.origin);
