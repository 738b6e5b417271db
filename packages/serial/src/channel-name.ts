/** The nine streams that a time line is merged from, by name: two for each port and one for what the bench itself says. */
import { type PortNumber, portNumbers } from './port-settings.ts';

export type ChannelName = `received-${PortNumber}` | `sent-${PortNumber}` | 'notices';

export const channelNames: readonly ChannelName[] = [
  ...portNumbers.map((port) => `received-${port}` as const),
  ...portNumbers.map((port) => `sent-${port}` as const),
  'notices',
];
