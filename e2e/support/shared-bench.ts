/**
 * A bench shared from Node: a simulated board on port 1, and the product's own host code in front of its real relay.
 */
import { systemClock } from '@wirebench/clock';
import { livePaths, NewLiveRoomAnswer } from '@wirebench/contract';
import { createDemoPort, demoUsbIds } from '@wirebench/devices';
import {
  type Dial,
  dialSocket,
  formatShareLink,
  makeSecret,
  RemoteHost,
  type Right,
  webCrypto,
} from '@wirebench/remote';
import { origin } from './product.ts';

const settings = { baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none', flowControl: 'none' } as const;

const until = async (what: string, holds: () => boolean): Promise<void> => {
  const end = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > end) {
      throw new Error(`Waited without result: ${what}`);
    }
    await systemClock.sleep(20);
  }
};

/** Makes a link of a host without a network: nothing reaches the server. */
function noLink(): ReturnType<Dial> {
  const link: ReturnType<Dial> = {
    onmessage: null,
    onclose: null,
    buffered: 0,
    send: () => undefined,
    close: () => undefined,
  };
  queueMicrotask(() => link.onclose?.(1006));
  return link;
}

export class SharedBench {
  readonly link: string;
  readonly host: RemoteHost;
  readonly #demo: ReturnType<typeof createDemoPort>;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  #reading: Promise<void> = Promise.resolve();
  /** True: the host's network is cut. */
  #isDown = false;
  #links: { close(): void; onclose: ((code: number) => void) | null }[] = [];

  /**
   * Shares a bench.
   *
   * @param authorization Header of a signed-in user.
   */
  static async share(authorization: string, model: 'chatty' | 'esp32' = 'chatty'): Promise<SharedBench> {
    const answer = await fetch(`${origin}${livePaths.rooms}`, { method: 'POST', headers: { authorization } });
    const { room, hostToken } = NewLiveRoomAnswer.parse(await answer.json());
    const bench = new SharedBench(room.id, hostToken, model);
    await until('the bench is shared', () => bench.host.status.state === 'sharing');
    await bench.#open();
    return bench;
  }

  private constructor(room: string, hostToken: string, model: 'chatty' | 'esp32') {
    this.#demo = createDemoPort({ model, baudRate: settings.baudRate });
    const secret = makeSecret(webCrypto);
    this.link = formatShareLink({ origin, room, secret });
    const dial = dialSocket({ origin, room, hostToken });
    this.host = new RemoteHost({
      clock: systemClock,
      secret,
      name: 'mira.k',
      onChange: () => undefined,
      dial: (resume) => {
        if (this.#isDown) {
          return noLink();
        }
        const link = dial(resume);
        this.#links.push(link);
        return link;
      },
      bench: {
        acquire: async () => {
          await this.#close();
          return this.#port;
        },
        release: () => void this.#open(),
        type: (_port, bytes) => this.#type(bytes),
        passed: () => undefined,
      },
    });
  }

  get #port(): SerialPort {
    if (this.#demo.port === null) {
      throw new Error('The board is unplugged.');
    }
    return this.#demo.port;
  }

  /** Opens the port for the host's own session. */
  async #open(): Promise<void> {
    const port = this.#port;
    await port.open({ ...settings, bufferSize: 1 << 16 });
    this.host.setPort(1, { name: 'S3 gateway', info: demoUsbIds, present: true, settings });
    this.#reading = this.#read(port);
  }

  /** Types as the host, like its page. */
  async type(text: string): Promise<void> {
    await this.#type(new TextEncoder().encode(text));
  }

  async setRight(name: string, right: Right): Promise<void> {
    const guest = () => this.host.status.guests.find((one) => one.name === name);
    await until(`${name} is here`, () => guest() !== undefined);
    this.host.setRight(guest()?.id ?? '', 1, right);
  }

  asked(name: string): Right | null {
    return this.host.status.guests.find((one) => one.name === name)?.ports[0]?.asked ?? null;
  }

  expel(name: string): void {
    this.host.expel(this.host.status.guests.find((one) => one.name === name)?.id ?? '');
  }

  /** Cuts or restores the host's network. */
  setNetwork(up: boolean): void {
    this.#isDown = !up;
    if (!up) {
      for (const link of this.#links.splice(0)) {
        const { onclose } = link;
        link.close();
        onclose?.(1006);
      }
    }
  }

  async stop(): Promise<void> {
    this.host.stop();
    await this.#close();
  }

  async #type(bytes: Uint8Array): Promise<void> {
    const writer = this.#port.writable?.getWriter();
    if (writer === undefined) {
      throw new Error('The port is closed.');
    }
    this.host.tapped(1, 'sent', bytes, Date.now());
    await writer.write(bytes);
    writer.releaseLock();
  }

  async #read(port: SerialPort): Promise<void> {
    try {
      const reader = port.readable?.getReader();
      this.#reader = reader ?? null;
      for (;;) {
        const { value } = (await reader?.read()) ?? {};
        if (value === undefined) {
          break;
        }
        this.host.tapped(1, 'received', value, Date.now());
      }
    } catch {
      // The board was unplugged.
    }
    this.#reader?.releaseLock();
    this.#reader = null;
  }

  async #close(): Promise<void> {
    await this.#reader?.cancel();
    await this.#reading;
    if (this.#demo.port?.readable) {
      // The close fails for a port that a guest uses; that port closes when the use ends.
      await this.#demo.port.close().catch(() => undefined);
    }
  }
}
