/** Names of the nine channels that a timeline merges: two for each port, and one for the notices of the bench. */
import { type PortNumber, portNumbers } from './port-number.ts';

export type ChannelName = `received-${PortNumber}` | `sent-${PortNumber}` | 'notices';

export const channelNames: readonly ChannelName[] = [
  ...portNumbers.map((port) => `received-${port}` as const),
  ...portNumbers.map((port) => `sent-${port}` as const),
  'notices',
];

/** Counter of the numbers that put the lines of all channels into one order. */
export interface SequenceCounter {
  next: number;
  /** Numbers of the newest line and of the one before it, in the order in which they began. */
  newest?: number;
  before?: number;
}

export interface ChannelIdentity {
  readonly name: ChannelName;
  /** Null for the notices, whose port is in their flags. */
  readonly port: PortNumber | null;
  readonly direction: 'received' | 'sent' | 'notice';
}
