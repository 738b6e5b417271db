/**
 * A simulated chip whose own work is counted apart: what the process spends besides it is the client's. Counts the bytes that
 * go to it as well.
 */
import { createEspPort, EspDevice, type EspDeviceOptions } from '@wirebench/devices';
import { countedClock, threadCpu } from './exact-clock.ts';

export interface MeasuredDevice {
  readonly device: EspDevice;
  readonly port: SerialPort;
  /** Bytes that the client has written so far. */
  readonly sent: () => number;
  /** CPU milliseconds of this thread so far, without the device's own. */
  readonly clientCpu: () => number;
  unplug(): void;
}

export function measuredDevice(options: EspDeviceOptions): MeasuredDevice {
  let own = 0;
  // The device works in its timers alone, and what they wake in a client runs after them.
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

/** Counts what is written to `port`, whoever does it and however often the port is opened. */
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
