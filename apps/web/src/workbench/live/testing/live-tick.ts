/** Sample tick of the live worker: one port, with the right to watch. */
import type { LiveTick, SharedPortFacts } from '../../../protocol/live-protocol.ts';

export const watchedPort: SharedPortFacts = {
  port: 1,
  right: 'watch',
  user: null,
  present: true,
  visit: 1,
  name: 'Board',
  usbVendorId: null,
  usbProductId: null,
  settings: null,
  isYours: false,
  asked: null,
  isSimulated: false,
};

export const joinedTick: LiveTick = {
  state: 'joined',
  why: null,
  host: 'Ada',
  isHostAway: false,
  endsAt: 0,
  ports: [watchedPort],
  canHide: true,
  people: [],
  guests: 1,
  roundTrip: 40,
  since: 0,
  delay: null,
  missing: 0,
  using: [],
};
