/**
 * The device's side of virtual serial ports in a Chromium process. It plugs ports in and out, observes opening and
 * configuration, and exchanges bytes. The browser's side is web-serial-shim.c, preloaded into Chromium. A line
 * protocol over a Unix socket connects the two.
 */
import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PortIdentity, type PortOptions, VirtualPort } from './virtual-port.ts';

const listen = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });

export class WebSerialHost extends EventEmitter<{ browser: [] }> {
  readonly #library: string;
  readonly #directory = mkdtempSync(join(tmpdir(), 'web-serial-'));
  readonly #control = createServer((socket) => this.#greet(socket));
  readonly #ports = new Map<string, VirtualPort>();
  readonly #browsers = new Set<Socket>();
  readonly #identities = new Map<string, object>();

  private constructor(library: string) {
    super();
    this.#library = library;
  }

  /**
   * Starts a host.
   *
   * @param library Path of the compiled web-serial-shim.c.
   */
  static async start(library: string): Promise<WebSerialHost> {
    const host = new WebSerialHost(library);
    await listen(host.#control, host.#controlPath);
    return host;
  }

  get #controlPath(): string {
    return join(this.#directory, 'control');
  }

  /** Environment variables that make a Chromium see this host's ports. */
  get env(): { LD_PRELOAD: string; WEBSERIAL_CTL: string } {
    const preloaded = process.env.LD_PRELOAD;
    return {
      LD_PRELOAD: preloaded ? `${this.#library}:${preloaded}` : this.#library,
      WEBSERIAL_CTL: this.#controlPath,
    };
  }

  /** Adds a port and plugs it in, unless the options say otherwise. */
  async addPort(options: PortOptions): Promise<VirtualPort> {
    const port = new VirtualPort(options, join(this.#directory, options.name), (line) => this.#send(line));
    await listen(port.server, port.dataPath);
    this.#ports.set(options.name, port);
    this.permit(options);
    port.plug();
    return port;
  }

  /** Permits pages to open such a port, in each browser started from now on. The port may be added later. */
  permit({ product: name, vendorId, productId, serialNumber }: PortIdentity): void {
    const identity = { name, vendor_id: vendorId, product_id: productId, serial_number: serialNumber };
    this.#identities.set(JSON.stringify(identity), identity);
  }

  /** Identities of all ports permitted or added so far, removed ones included. */
  get identities(): string {
    return [...this.#identities.keys()].join();
  }

  /** Creates a browser profile in which pages of `origin` have permission for all ports permitted or added so far. */
  makeProfile(origin: string): string {
    const chosen = [...this.#identities.values()];
    const exceptions = { serial_chooser_data: { [`${origin},*`]: { setting: { 'chosen-objects': chosen } } } };
    const profile = mkdtempSync(join(this.#directory, 'profile-'));
    mkdirSync(join(profile, 'Default'));
    const preferences = JSON.stringify({ profile: { content_settings: { exceptions } } });
    writeFileSync(join(profile, 'Default', 'Preferences'), preferences);
    return profile;
  }

  /**
   * Unplugs and removes all ports after the browser has closed them. Otherwise late reports about a port would count
   * for the next one.
   */
  async removePorts(): Promise<void> {
    for (const port of this.#ports.values()) {
      await port.closed();
      port.unplug();
      port.dispose();
    }
    this.#ports.clear();
  }

  stop(): void {
    for (const port of this.#ports.values()) {
      port.dispose();
    }
    for (const browser of this.#browsers) {
      browser.destroy();
    }
    this.#control.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #send(line: string): void {
    for (const browser of this.#browsers) {
      browser.write(`${line}\n`);
    }
  }

  #greet(socket: Socket): void {
    this.#browsers.add(socket);
    for (const port of this.#ports.values()) {
      if (port.plugged) {
        socket.write(`${port.plugLine}\n`);
      }
    }
    socket.write('ready\n');
    let rest = '';
    socket.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        this.#read(line);
      }
    });
    // A browser that ends with open ports resets its socket. The `close` event reports it.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#browsers.delete(socket);
      for (const port of this.#ports.values()) {
        port.browserGone();
      }
    });
    this.emit('browser');
  }

  #read(line: string): void {
    const [verb = '', name = '', ...pairs] = line.split(' ');
    const values = new Map(pairs.map((pair) => pair.split('=', 2) as [string, string]));
    this.#ports.get(name)?.report(verb, values);
  }
}
