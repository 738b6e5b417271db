/**
 * A simulated chip whose processor time is counted separately: the rest of the thread's time is the client's. It also
 * counts the bytes sent to the chip.
 */
import { createEspPort, EspDevice, type EspDeviceOptions } from '@wirebench/devices';
import { countedClock, threadCpu } from './exact-clock.ts';

export interface MeasuredDevice {
  readonly device: EspDevice;
  readonly port: SerialPort;
  /** Bytes written by the client so far. */
  readonly sent: () => number;
  /** CPU milliseconds of this thread so far, without the device's. */
  readonly clientCpu: () => number;
  unplug(): void;
}

export function measuredDevice(options: EspDeviceOptions): MeasuredDevice {
  let own = 0;
  // The device runs only in its timers. Client code that they wake runs after them.
  const clock = countedClock((milliseconds) => {
    own += milliseconds;
  });
  const device = new EspDevice(options);
  const demo = createEspPort(device, { clock, pace: 'wire' });
  const { port } = demo;
  if (port === null) {
    throw new Error('The device is not plugged in.');
  }
  const sent = countWrites(port);
  return { device, port, sent, clientCpu: () => threadCpu() - own, unplug: () => demo.unplug() };
}

/** Counts the bytes written to `port`, through every writer and after every opening. */
function countWrites(port: SerialPort): () => number {
  let bytes = 0;
  const open = port.open.bind(port);
  port.open = async (options) => {
    await open(options);
    const { writable } = port;
    if (writable !== null) {
      const getWriter = writable.getWriter.bind(writable);
      writable.getWriter = () => {
        const writer = getWriter();
        const write = writer.write.bind(writer);
        writer.write = (chunk) => {
          bytes += chunk?.byteLength ?? 0;
          return write(chunk);
        };
        return writer;
      };
    }
  };
  return () => bytes;
}
