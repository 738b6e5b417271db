/** Statistics of a port: amounts, rates, the last minute, and hints for its errors. */
import { wireTime } from '@wirebench/port';
import type { PortStatus } from './bench-status.ts';
import type { Lane, TrafficMeter } from './traffic-meter.ts';

interface DirectionStatistics {
  /** Bytes since the last connect. */
  readonly bytes: number;
  /** Bytes per second, over the last second. */
  readonly rate: number;
  /** Most bytes in one second since the last connect. */
  readonly peak: number;
  /** Fraction of the wire's capacity that the last second's bytes took, 0 to 1; null until the port was open once. */
  readonly load: number | null;
  readonly lane: Lane;
}

export type ErrorHint = keyof PortStatus['errors'];

/** Advice for each kind of error that the driver reports. */
export const errorHintText = {
  framing: 'Framing errors: check the baud rate, then the data bits and stop bits, then the ground wire.',
  parity: 'Parity errors: check the parity and the data bits. Set the same on both ends.',
  overrun: 'Buffer overruns: incoming bytes were lost. Try flow control, a lower baud rate, or another USB port.',
  break: 'Breaks: the line was held low. Check that the board has power, and that the baud rate is not far too high.',
} satisfies Record<ErrorHint, string>;

export interface PortStatistics {
  readonly received: DirectionStatistics;
  readonly sent: DirectionStatistics;
  /** Lines received since the last connect. */
  readonly lines: number;
  readonly errors: PortStatus['errors'];
  /** Kinds of errors that have occurred, the most frequent first. `errorHintText` has the texts. */
  readonly hints: readonly ErrorHint[];
}

export interface PortMeters {
  readonly received: TrafficMeter;
  readonly sent: TrafficMeter;
}

/** @param now Milliseconds since the Unix epoch. */
export function portStatistics(status: PortStatus, meters: PortMeters, now: number): PortStatistics {
  const direction = (name: 'received' | 'sent'): DirectionStatistics => {
    const meter = meters[name];
    const rate = meter.rate(now);
    return {
      bytes: status[name],
      rate,
      peak: meter.peak(now),
      load: status.settings === null ? null : Math.min(1, wireTime(status.settings, rate) / 1_000),
      lane: meter.lane(now),
    };
  };
  const { errors } = status;
  const kinds: readonly ErrorHint[] = ['framing', 'parity', 'overrun', 'break'];
  const hints = kinds.filter((kind) => errors[kind] > 0).toSorted((one, other) => errors[other] - errors[one]);
  return { received: direction('received'), sent: direction('sent'), lines: status.lines, errors, hints };
}
