/** Metrics of the relay: sums over all rooms, without data of single rooms. */
import { gauge, type Metric } from '../../metrics/exposition.ts';

/** Reasons for which the relay closes a connection. */
const cutReasons = [
  'not-allowed',
  'no-such-room',
  'too-many',
  'not-admitted',
  'expelled',
  'too-slow',
  'idle',
  'ended',
  'replaced',
  'malformed',
  'restart',
] as const;
export type CutReason = (typeof cutReasons)[number];

export class LiveTraffic {
  rooms = 0;
  hosts = 0;
  guests = 0;
  received = 0;
  sent = 0;
  readonly #cuts = Object.fromEntries(cutReasons.map((reason) => [reason, 0])) as Record<CutReason, number>;

  readonly metrics: readonly Metric[] = [
    gauge('wirebench_live_rooms', 'Shared benches that have a host or a guest at this process.', () => this.rooms),
    {
      name: 'wirebench_live_connections',
      help: 'Open connections of shared benches.',
      type: 'gauge',
      samples: () => [
        { labels: { role: 'host' }, value: this.hosts },
        { labels: { role: 'guest' }, value: this.guests },
      ],
    },
    {
      name: 'wirebench_live_bytes_total',
      help: 'Bytes of messages that the relay has received and sent.',
      type: 'counter',
      samples: () => [
        { labels: { direction: 'received' }, value: this.received },
        { labels: { direction: 'sent' }, value: this.sent },
      ],
    },
    {
      name: 'wirebench_live_cuts_total',
      help: 'Connections of shared benches that the relay has ended.',
      type: 'counter',
      samples: () => Object.entries(this.#cuts).map(([reason, value]) => ({ labels: { reason }, value })),
    },
  ];

  countCut(reason: CutReason): void {
    this.#cuts[reason]++;
  }
}
