/** A pseudo-terminal of socat that is plugged in and unplugged like a board. Linux and macOS. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A device at the far end of a pseudo-terminal, which can be unplugged. */
export class PluggedTerminal {
  readonly folder = mkdtempSync(join(tmpdir(), 'node-port-'));
  readonly path = join(this.folder, 'port');
  readonly got: Buffer[] = [];
  /** Receives bytes of the program that has the port open. */
  onBytes: ((bytes: Buffer) => void) | null = null;
  readonly #server = createServer((socket) => {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.got.push(bytes);
      this.onBytes?.(bytes);
    });
    socket.on('error', () => 'the device was unplugged');
  });
  #socket: Socket | null = null;
  #socat: ChildProcess | null = null;
  /** Keeps the pseudo-terminal while no port is open: socat would end with its last reader. */
  #keeper: number | null = null;

  static async plugged(): Promise<PluggedTerminal> {
    const terminal = new PluggedTerminal();
    terminal.#server.listen(join(terminal.folder, 'device'));
    await once(terminal.#server, 'listening');
    await terminal.plug();
    return terminal;
  }

  async plug(): Promise<void> {
    const connected = once(this.#server, 'connection');
    const ends = [`unix-connect:${join(this.folder, 'device')}`, `pty,raw,echo=0,link=${this.path}`];
    this.#socat = spawn('socat', ends, { stdio: 'ignore' });
    await connected;
    while (!existsSync(this.path)) {
      await pause(5);
    }
    this.#keeper = openSync(this.path, constants.O_RDWR | constants.O_NOCTTY);
  }

  unplug(): void {
    // The next pseudo-terminal of the system may get the number that the link leads to.
    rmSync(this.path, { force: true });
    this.#socat?.kill('SIGKILL');
    if (this.#keeper !== null) {
      closeSync(this.#keeper);
      this.#keeper = null;
    }
  }

  send(bytes: Uint8Array): void {
    this.#socket?.write(bytes.slice());
  }

  async close(): Promise<void> {
    const ended = this.#socat?.exitCode === null ? once(this.#socat, 'exit') : null;
    this.unplug();
    if (this.#socat?.signalCode === null) {
      await ended;
    }
    this.#server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
