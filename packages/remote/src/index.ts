/**
 * A bench that is shared by a link: the side with the boards and the side without. Knows no document, no React and no real time: the
 * way to the relay, the bench and the clock are passed in.
 */

export { RemoteGuest } from './guest/remote-guest.ts';
export type { BenchAccess } from './host/bench-access.ts';
export { RemoteHost } from './host/remote-host.ts';
export { RemoteError } from './remote-failure.ts';
export { webCrypto } from './sealing/sealing-crypto.ts';
export { makeSecret } from './sealing/secret.ts';
export { formatShareLink, parseShareLink, type ShareLink } from './share-link.ts';
export { dialSocket } from './socket-dial.ts';
