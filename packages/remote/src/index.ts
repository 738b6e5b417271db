/**
 * A bench that is shared by a link: the host's side with the boards, and the guest's side without. Relay link, bench
 * and clock are passed in, so the package also runs in workers and in Node.
 */

export type { Right } from './frames/messages.ts';
export type { BytesPiece } from './frames/tap-records.ts';
export type { EarlierFromHost } from './guest/earlier-gate.ts';
export { RemoteGuest, type RemoteGuestStatus } from './guest/remote-guest.ts';
export type { MissingBytes } from './guest/tap-reader.ts';
export type {
  BenchAccess,
  EarlierLine,
  EarlierLinesWanted,
  GuestName,
  HiddenSending,
  SharedPort,
} from './host/bench-access.ts';
export type { GuestStatus, HostStatus } from './host/host-status.ts';
export { RemoteHost } from './host/remote-host.ts';
export type { Dial } from './message-link.ts';
export { RemoteError, type RemoteFailure, remoteFailureText } from './remote-failure.ts';
export { webCrypto } from './sealing/sealing-crypto.ts';
export { makeSecret } from './sealing/secret.ts';
export { formatShareLink, parseShareLink, type ShareLink } from './share-link.ts';
export { shownName } from './shown-name.ts';
export { dialSocket } from './socket-dial.ts';
