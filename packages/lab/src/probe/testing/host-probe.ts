/**
 * The RAM program's logic, compiled for this computer (`firmware/probe/host`), as a wire for tests. Its registers are
 * simple models. Other tests run the program on a simulated chip.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProbeEvents } from '../probe-events.ts';
import type { ProbeWire } from '../probe-talk.ts';

const sources = join(import.meta.dirname, '../../../../../firmware/probe');
const compiler = 'gcc';
const end = 0xc0;
const escapeByte = 0xdb;
const firstEvent = 0xf0;

/** True if this computer has a C compiler. */
export const hasHostCompiler = spawnSync(compiler, ['--version']).status === 0;

/**
 * Builds the program into a temporary folder; `remove` deletes it.
 *
 * @throws Error with the compiler's output.
 */
export function buildHostProbe(): { program: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-host-probe-'));
  const program = join(folder, 'probe');
  const files = readdirSync(sources).filter((name) => name.endsWith('.c'));
  const flags = [
    '-std=gnu11',
    '-O1',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-DHOST',
    '-Dpoll=probe_poll',
    '-DCHIP_HEADER="chips/esp32.h"',
    '-I.',
  ];
  const { status, stderr } = spawnSync(compiler, [...flags, ...files, 'host/host.c', '-o', program], {
    cwd: sources,
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`${compiler} failed: ${stderr}`);
  }
  return { program, remove: () => rmSync(folder, { recursive: true }) };
}

export class HostProbe implements ProbeWire {
  readonly port = { wireTime: () => 0 };
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #frames: Uint8Array[] = [];
  #bytes: number[] = [];
  #isEscaped = false;
  #onFrame: () => void = () => undefined;
  #onEvent: ProbeEvents['tell'] | null = null;

  constructor(program: string) {
    this.#child = spawn(program, { stdio: 'pipe' });
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    // A test that ends early leaves unread bytes, which fail the write.
    this.#child.stdin.on('error', () => undefined);
  }

  write(bytes: Uint8Array): void {
    this.#child.stdin.write(bytes);
  }

  /** Passes events to `take` from now on instead of queueing them as frames. */
  handleEvents(take: ProbeEvents['tell']): void {
    this.#onEvent = take;
  }

  async nextFrame(limit: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    signal?.throwIfAborted();
    if (this.#frames.length === 0) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, limit);
        const abort = () => reject(signal?.reason);
        signal?.addEventListener('abort', abort, { once: true });
        this.#onFrame = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
          resolve();
        };
      });
    }
    return this.#frames.shift() ?? null;
  }

  discard(): void {
    this.#frames.length = 0;
  }

  /** Closes the program's input and resolves with its exit code when it ends. */
  close(): Promise<number | null> {
    this.#child.stdin.end();
    return new Promise((resolve) => this.#child.once('close', resolve));
  }

  #take(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (byte === end) {
        if (this.#bytes.length > 0) {
          this.#takeFrame(Uint8Array.from(this.#bytes));
        }
        this.#bytes = [];
      } else if (byte === escapeByte) {
        this.#isEscaped = true;
      } else {
        this.#bytes.push(this.#isEscaped ? (byte === 0xdc ? end : escapeByte) : byte);
        this.#isEscaped = false;
      }
    }
    if (this.#frames.length > 0) {
      this.#onFrame();
    }
  }

  #takeFrame(frame: Uint8Array): void {
    const [, op = 0] = frame;
    if (op >= firstEvent && this.#onEvent !== null) {
      const value = new DataView(frame.buffer).getUint32(4, true);
      this.#onEvent({ op, value, data: frame.subarray(8) });
    } else {
      this.#frames.push(frame);
    }
  }
}
