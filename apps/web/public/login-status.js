// Answers the identity provider's login-status check in the provider's stead: 'unchanged', after 50 ms. The page that asks
// is the one that holds this frame (src/shared/provider/intercept-frames.ts), and it asks by a message.
addEventListener('message', ({ source, origin }) => {
  if (origin === location.origin && source === parent) {
    setTimeout(() => parent.postMessage('unchanged', location.origin), 50);
  }
});
