/** A shared bench for the page of a test: a simulated board on port 1, on the same virtual time. */
import { waitFor } from '@testing-library/react';
import { createDemoPort, demoUsbIds } from '@wirebench/devices';
import { defaultPortSettings, OpenError } from '@wirebench/port';
import { formatShareLink, makeSecret, RemoteHost, type Right, webCrypto } from '@wirebench/remote';
import { expect } from 'vitest';
import { theBench } from '../../../workbench/testing/whole-page.tsx';
import { RelayInThread } from './relay-in-thread.ts';

export class BenchElsewhere {
  readonly clock = theBench().clock;
  readonly relay = new RelayInThread();
  readonly host: RemoteHost;
  readonly link: string;
  /** True: something else has the port open on the shared bench. */
  isKept = false;
  readonly #demo: ReturnType<typeof createDemoPort>;
  readonly #received: number[] = [];
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  #reading: Promise<void> = Promise.resolve();
  /** True: guests learn that the board is simulated. */
  #saysSimulated = false;

  static async share(model: 'chatty' | 'esp32' = 'chatty'): Promise<BenchElsewhere> {
    const bench = new BenchElsewhere(model);
    await waitFor(() => expect(bench.host.status.state).toBe('sharing'));
    await bench.open();
    return bench;
  }

  private constructor(model: 'chatty' | 'esp32') {
    this.#demo = createDemoPort({ model, clock: this.clock, baudRate: defaultPortSettings.baudRate });
    const secret = makeSecret(webCrypto);
    this.link = formatShareLink({ origin: location.origin, room: this.relay.room, secret });
    this.host = new RemoteHost({
      clock: this.clock,
      dial: this.relay.dialHost,
      secret,
      name: 'mira.k',
      onChange: () => undefined,
      bench: {
        acquire: async () => {
          if (this.isKept) {
            throw new OpenError('busy', null);
          }
          await this.#close();
          return this.#port;
        },
        release: () => void this.open(),
        type: (_port, bytes) => this.#type(bytes),
        passed: (_port, lane, bytes) => lane === 'received' && this.#received.push(...bytes),
      },
    });
  }

  /** Everything that port 1 has received since it was shared. */
  get bytes(): readonly number[] {
    return this.#received;
  }

  get #port(): SerialPort {
    const { port } = this.#demo;
    if (port === null) {
      throw new Error('The board is unplugged.');
    }
    return port;
  }

  #tell(present: boolean, settings: typeof defaultPortSettings | null): void {
    const isSimulated = this.#saysSimulated;
    this.host.setPort(1, { name: 'S3 gateway', info: demoUsbIds, isSimulated, present, settings });
  }

  /** Tells guests that the board is simulated. */
  async admit(): Promise<void> {
    this.#saysSimulated = true;
    await this.close();
    await this.open();
  }

  /** Opens the port for the host's own session. */
  async open(change: Partial<typeof defaultPortSettings> = {}): Promise<void> {
    const opened = { ...defaultPortSettings, ...change };
    const port = this.#port;
    await port.open({ ...opened, bufferSize: 1 << 16 });
    this.#tell(true, opened);
    this.#reading = this.#read(port);
  }

  async close(): Promise<void> {
    await this.#close();
    this.#tell(true, null);
  }

  async unplug(): Promise<void> {
    this.#demo.unplug();
    await this.#reading;
    this.#tell(false, null);
  }

  async replug(): Promise<void> {
    this.#demo.replug();
    await this.open();
  }

  /** Types as the host. */
  type(text: string): Promise<void> {
    return this.#type(new TextEncoder().encode(text));
  }

  /** Makes the board print a text. */
  say(text: string): void {
    this.#take(new TextEncoder().encode(text));
  }

  /** Waits until the guest has asked for this right. */
  async asked(name: string, right: Right): Promise<void> {
    await waitFor(() => expect(this.#guest(name)?.ports[0]?.asked).toBe(right));
  }

  refuse(name: string): void {
    this.host.refuse(this.#guest(name)?.id ?? '', 1);
  }

  async setRight(name: string, right: Right): Promise<void> {
    await waitFor(() => expect(this.#guest(name)).toBeDefined());
    this.host.setRight(this.#guest(name)?.id ?? '', 1, right);
  }

  async expel(name: string): Promise<void> {
    await waitFor(() => expect(this.host.status.guests).toHaveLength(1));
    this.host.expel(this.#guest(name)?.id ?? '');
  }

  #guest(name: string) {
    return this.host.status.guests.find((guest) => guest.name === name);
  }

  async #type(bytes: Uint8Array): Promise<void> {
    const writer = this.#port.writable?.getWriter();
    if (writer === undefined) {
      throw new Error('The port is closed.');
    }
    this.host.tapped(1, 'sent', bytes, this.clock.now());
    await writer.write(bytes);
    writer.releaseLock();
  }

  #take(bytes: Uint8Array): void {
    this.#received.push(...bytes);
    this.host.tapped(1, 'received', bytes, this.clock.now());
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
        this.#take(value);
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
      // A port that a guest uses is closed when the use ends.
      await this.#demo.port.close().catch(() => undefined);
    }
  }
}
