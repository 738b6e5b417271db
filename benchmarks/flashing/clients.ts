/** The two clients, each used according to its own documentation: connect, write, verify. */
import { createHash } from 'node:crypto';
import { systemClock } from '@wirebench/clock';
import { splitIntoRegions } from '@wirebench/flasher/core';
import { connectEsp } from '@wirebench/flasher/esp';
import { ESPLoader, type IEspLoaderTerminal, Transport } from 'esptool-js';

export interface Client {
  readonly name: string;
  /** Connects until the stub runs at its final rate. The returned client writes and verifies the whole image once. */
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
    // Silences the trace, which writes to the console by default.
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
