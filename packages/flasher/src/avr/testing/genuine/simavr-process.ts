/**
 * The program simavr-board.c as a child process: compiled once, then asked synchronously through two named pipes. Time
 * passes on the simulated board only while a request for it runs, which is why a test can use a virtual clock.
 */
import { Buffer } from 'node:buffer';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bootloaderPath, type GenuineBoard, genuineBoards, hasBootloader } from './genuine-boards.ts';

const source = join(import.meta.dirname, 'simavr-board.c');
const folder = resolve(import.meta.dirname, '../../../../../../.cache/simavr-board');
const program = join(folder, 'simavr-board');

/** Lock byte that protects nothing: a client that writes to the bootloader's flash damages it. */
const unlocked = 0x3f;

/** Cycles per millisecond at 16 MHz. */
export const cyclesPerMillisecond = 16_000;

/** Bit 15 of a byte in `receive`: its stop bit was missing. */
export const framingError = 0x8000;

/** Boards without which the suites do not run. */
const needed = ['uno', 'oldNano', 'mega'] as const;

/** Returns the path of the compiled program, or the reason for which there is none. */
export function provideSimavrBoard(): { readonly program: string } | { readonly missing: string } {
  const lacking = needed.find((name) => !hasBootloader(name));
  if (process.platform !== 'linux') {
    return { missing: `libsimavr is used on Linux only; this is ${process.platform}` };
  }
  if (lacking !== undefined) {
    return { missing: `${bootloaderPath(genuineBoards[lacking])} is missing: install arduino-core-avr` };
  }
  const isBuilt = existsSync(program) && statSync(program).mtimeMs > statSync(source).mtimeMs;
  return isBuilt || compile()
    ? { program }
    : { missing: 'simavr-board.c cannot be compiled: install gcc, libc6-dev and libsimavr-dev' };
}

/** Returns the head of a request (simavr-board.c). */
export function requestOf(letter: string, number: number): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter, 'latin1');
  head.writeUInt32LE(number, 1);
  return head;
}

function compile(): boolean {
  mkdirSync(folder, { recursive: true });
  // Another process may compile or run the program now.
  const built = `${program}-${process.pid}`;
  const flags = ['-O2', '-I/usr/include/simavr', '-o', built, source, '-lsimavr'];
  const compilers = [process.env.CC, 'cc', 'gcc', 'clang'].filter((name) => name !== undefined);
  const isCompiled = compilers.some((compiler) => spawnSync(compiler, flags, { stdio: 'ignore' }).status === 0);
  if (isCompiled) {
    renameSync(built, program);
  }
  return isCompiled;
}

/** Returns the arguments that select a chip, its bootloader, fuses and lock byte. */
export function boardArguments(board: GenuineBoard): string[] {
  return [board.mcu, bootloaderPath(board), ...[...board.fuses, unlocked].map((byte) => byte.toString(16))];
}

export class SimavrProcess {
  /** Address of the next instruction, in bytes. As of the last `run`, like `baudRate`. */
  programCounter = 0;
  /** Rate of UART0 in baud; 0 while it is not set up. On USB: 1 once the chip is configured. */
  baudRate = 0;
  readonly #child: ChildProcess;
  readonly #requests: number;
  readonly #answers: number;
  #hasEnded = false;

  /** Starts the board. Its flash contains only the bootloader. */
  constructor(path: string, board: GenuineBoard) {
    const pipes = mkdtempSync(join(tmpdir(), 'wirebench-simavr-'));
    const [requests, answers] = [join(pipes, 'requests'), join(pipes, 'answers')];
    try {
      const { status } = spawnSync('mkfifo', [requests, answers], { stdio: 'ignore' });
      if (status !== 0) {
        throw new Error('mkfifo failed.');
      }
      // Opened for both directions, a pipe does not wait for its other end.
      const ends = [requests, answers].map((pipe) => openSync(pipe, 'r+'));
      const [input = -1, output = -1] = ends;
      this.#requests = openSync(requests, 'w');
      this.#answers = openSync(answers, 'r');
      this.#child = spawn(path, boardArguments(board), { stdio: [input, output, 'inherit'] });
      // The process holds the only other ends now, so its death ends a read.
      for (const end of ends) {
        closeSync(end);
      }
    } finally {
      rmSync(pipes, { recursive: true });
    }
  }

  /** Runs `cycles` cycles and returns the bytes that UART0 started to send. */
  run(cycles: number): Uint8Array {
    this.#request('R', cycles);
    this.programCounter = this.#readNumber();
    this.baudRate = this.#readNumber();
    return this.#readBytes();
  }

  /** Lets UART0 receive bytes, without a pause between them. See `framingError`. */
  receive(bytes: readonly number[]): void {
    this.#request('B', bytes.length, Uint16Array.from(bytes));
  }

  /** Pulses the reset pin. */
  reset(): void {
    this.#request('X', 0);
  }

  /** Switches the power off and on. Flash and EEPROM are kept. */
  powerCycle(): void {
    this.#request('P', 0);
  }

  /** Sets bytes of flash from the address `at`, as a programmer does. */
  setFlash(at: number, bytes: Uint8Array): void {
    this.#request('W', bytes.length, Uint32Array.of(at));
    writeAll(this.#requests, bytes);
  }

  flash(): Uint8Array {
    this.#request('F', 0);
    return this.#readBytes();
  }

  eeprom(): Uint8Array {
    this.#request('E', 0);
    return this.#readBytes();
  }

  /** Ends the process. A second call has no effect. */
  end(): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      closeSync(this.#requests);
      closeSync(this.#answers);
      this.#child.kill();
    }
  }

  #request(letter: string, number: number, more: ArrayBufferView = new Uint8Array()): void {
    const bytes = Buffer.from(more.buffer, more.byteOffset, more.byteLength);
    writeAll(this.#requests, Buffer.concat([requestOf(letter, number), bytes]));
  }

  #readNumber(): number {
    return this.#read(4).readUInt32LE();
  }

  #readBytes(): Uint8Array {
    return new Uint8Array(this.#read(this.#readNumber()));
  }

  #read(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; ) {
      const count = readSync(this.#answers, bytes, at, length - at, null);
      if (count === 0) {
        throw new Error('The simulated board has ended.');
      }
      at += count;
    }
    return bytes;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(file, bytes, at);
  }
}
