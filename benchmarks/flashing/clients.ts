/** The two clients, each as its own documentation uses it: connect, write, verify. */
import { createHash } from 'node:crypto';
import { systemClock } from '@wirebench/clock';
import { splitIntoRegions } from '@wirebench/flasher/core';
import { connectEsp } from '@wirebench/flasher/espressif';
import { ESPLoader, type IEspLoaderTerminal, Transport } from 'esptool-js';

export interface Client {
  readonly name: string;
  /** From the click to the stub at its final rate. What it gives writes once: the whole image, verified. */
  connect(port: SerialPort, baudRate: number): Promise<ConnectedClient>;
}

export interface ConnectedClient {
  write(offset: number, image: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export const ours: Client = {
  name: 'wirebench',
  async connect(port, baudRate) {
    const board = await connectEsp(port, { clock: systemClock, baudRate });
    return {
      async write(offset, image) {
        const report = await board.write(splitIntoRegions(offset, image), { onEvent: () => undefined });
        if (report.state !== 'complete') {
          throw new Error('The image was not verified.');
        }
      },
      close: () => board.close(),
    };
  },
};

const silence: IEspLoaderTerminal = {
  clean: () => undefined,
  write: () => undefined,
  writeLine: () => undefined,
};

export const esptoolJs: Client = {
  name: 'esptool-js 0.7.0',
  async connect(port, baudRate) {
    const transport = new Transport(port, false);
    // It writes to the console without being asked.
    transport.trace = () => undefined;
    const loader = new ESPLoader({ transport, baudrate: baudRate, terminal: silence, debugLogging: false });
    await loader.main();
    return {
      write: (offset, image) =>
        loader.writeFlash({
          fileArray: [{ data: image, address: offset }],
          flashMode: 'keep',
          flashFreq: 'keep',
          flashSize: 'keep',
          eraseAll: false,
          compress: true,
          reportProgress: () => undefined,
          calculateMD5Hash: (bytes) => createHash('md5').update(bytes).digest('hex'),
        }),
      close: () => transport.disconnect(),
    };
  },
};
