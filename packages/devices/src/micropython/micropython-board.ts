/**
 * A board that runs the genuine MicroPython interpreter. The interpreter has its own REPL: lines, Tab, history, paste
 * mode, raw mode. The board adds what a port of MicroPython adds around it: soft reset, `main.py`, and raw paste, which
 * the WebAssembly port does not have (py docs, docs/reference/repl.rst, "Raw-paste mode").
 *
 * Modelled, not genuine: a `main.py` with an endless loop begins to run only when Ctrl+C arrives, because the
 * interpreter cannot receive keys while code runs. Until then the board swallows what it receives.
 */
import type { Device, DeviceLine } from '../wire/device.ts';
import { type Link, uartLink } from '../wire/link.ts';
import { Interpreter } from './interpreter.ts';

export interface MicroPythonOptions {
  /** Size of raw paste's window in bytes; null: the board does not know raw paste. Default 128. */
  readonly pasteWindow?: number | null;
  /** Longest code that raw paste takes, in bytes. Longer code ends with a MemoryError. */
  readonly maxPaste?: number;
  /** True: files cannot be written, as on CircuitPython while its drive is mounted. */
  readonly isReadOnly?: boolean;
  /** Bytes of all files together. Default: unlimited. */
  readonly capacity?: number;
  /** True: renaming over a file fails, as on FAT. */
  readonly isFat?: boolean;
  /** Modules that the board does not have. */
  readonly missing?: readonly ('binascii' | 'hashlib')[];
  /** `first-open`: the board starts when a host opens the port, so that the host receives the banner. Default `attach`. */
  readonly powerUp?: 'attach' | 'first-open';
  /** Files at the start, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

const CTRL_A = 0x01;
const CTRL_B = 0x02;
const CTRL_C = 0x03;
const CTRL_D = 0x04;
const pasteRequest = [0x05, 0x41, CTRL_A] as const;
/** Error numbers (py/mperrno.h). */
const EEXIST = 17;
const ENOSPC = 28;

interface Paste {
  readonly code: number[];
  left: number;
  /** True: the code is too long, and the rest is dropped. */
  isRefused: boolean;
}

export class MicroPythonBoard implements Device {
  readonly link: Link = uartLink(115_200);
  readonly #options: MicroPythonOptions;
  #interpreter: Interpreter | null = null;
  #line: DeviceLine | null = null;
  /** True: the board starts with the first host. */
  #isWaiting = false;
  #printed: number[] = [];
  #mode: 'friendly' | 'raw' | 'program' = 'friendly';
  /** Bytes of a request for raw paste that are held back. */
  #held: number[] = [];
  /** True: the raw REPL has bytes of a line. */
  #hasLine = false;
  #paste: Paste | null = null;
  /** Lines until running code is interrupted; null: it is not. */
  #linesLeft: number | null = null;
  /** Output after the lines of code that waits for Ctrl+C; null: no code waits. */
  #afterInterrupt: readonly number[] | null = null;
  /** Lines that the next code prints before it waits for Ctrl+C; null: it does not wait. */
  #linesBeforeWait: number | null = null;
  /** Received bytes until the board starts again; null: it does not. */
  #resetIn: number | null = null;

  private constructor(options: MicroPythonOptions) {
    this.#options = options;
  }

  static async load(options: MicroPythonOptions = {}): Promise<MicroPythonBoard> {
    const board = new MicroPythonBoard(options);
    const interpreter = await Interpreter.load((byte) => board.#cooked(byte));
    board.#interpreter = interpreter;
    for (const [path, content] of Object.entries(options.files ?? {})) {
      board.put(path, content);
    }
    board.#limitFiles(interpreter);
    return board;
  }

  attach(line: DeviceLine): void {
    this.#line = line;
    this.#isWaiting = this.#options.powerUp === 'first-open';
    if (!this.#isWaiting) {
      this.#start(true);
      this.#flush();
    }
  }

  hostOpened(): void {
    if (this.#isWaiting) {
      this.#isWaiting = false;
      this.#start(true);
      this.#flush();
    }
  }

  detach(): void {
    this.#line = null;
    this.#paste = null;
    this.#afterInterrupt = null;
    this.#held = [];
  }

  receive(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#resetIn !== null && this.#resetIn-- === 0) {
        this.#resetIn = null;
        this.#print(...encode('\r\nets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET)\r\n'));
        this.#start(true);
        break;
      }
      this.#receiveByte(byte);
    }
    this.#flush();
  }

  /** Contents of all files by path, in the order of paths, and folders with null. */
  get files(): ReadonlyMap<string, Uint8Array<ArrayBuffer> | null> {
    const { files } = this.#running;
    const found = new Map<string, Uint8Array<ArrayBuffer> | null>();
    const visit = (folder: string) => {
      const names = files.readdir(folder === '' ? '/' : folder).filter((name) => name !== '.' && name !== '..');
      for (const name of names.sort()) {
        const path = `${folder}/${name}`;
        if (files.isDir(files.stat(path).mode)) {
          found.set(path, null);
          visit(path);
        } else {
          found.set(path, files.readFile(path));
        }
      }
    };
    visit('');
    return found;
  }

  /** Puts a file on the board without its REPL. Missing folders are made. */
  put(path: string, content: string | Uint8Array): void {
    const { files } = this.#running;
    const folders = path.split('/').slice(1, -1);
    folders.forEach((_, index) => {
      const folder = `/${folders.slice(0, index + 1).join('/')}`;
      if (!files.analyzePath(folder).exists) {
        files.mkdir(folder);
      }
    });
    files.writeFile(path, content);
  }

  /** Ctrl+C arrives while the next code runs, after it has printed this many lines. */
  interruptAfter(lines: number): void {
    this.#linesLeft = lines;
  }

  /**
   * The next code that raw paste takes prints this many lines and then runs until Ctrl+C arrives. Code with an endless
   * loop needs this, because the interpreter cannot receive keys while code runs.
   */
  waitForInterrupt(lines: number): void {
    this.#linesBeforeWait = lines;
  }

  /** The board loses power and starts again after it has received this many more bytes. */
  resetAfter(bytes: number): void {
    this.#resetIn = bytes;
  }

  get #running(): Interpreter {
    if (this.#interpreter === null) {
      throw new Error('The interpreter is not loaded.');
    }
    return this.#interpreter;
  }

  #receiveByte(byte: number): void {
    if (this.#mode === 'program') {
      if (byte === CTRL_C) {
        this.#endProgram();
      }
      return;
    }
    if (this.#afterInterrupt !== null) {
      if (byte === CTRL_C) {
        this.#print(...this.#afterInterrupt);
        this.#afterInterrupt = null;
      }
      return;
    }
    if (this.#paste !== null) {
      this.#takePasted(this.#paste, byte);
      return;
    }
    if (this.#mode === 'raw' && !this.#hasLine && this.#isPasteRequest(byte)) {
      return;
    }
    this.#key(byte);
  }

  /** Holds back the bytes that ask for raw paste. Returns false for any other byte, after those that were held. */
  #isPasteRequest(byte: number): boolean {
    const { pasteWindow = 128 } = this.#options;
    if (byte !== pasteRequest[this.#held.length]) {
      for (const held of this.#held.splice(0)) {
        this.#key(held);
      }
      return false;
    }
    this.#held.push(byte);
    if (this.#held.length === pasteRequest.length) {
      this.#held = [];
      if (pasteWindow === null) {
        // Boards without raw paste take Ctrl+A as the reset of the line. The genuine interpreter would read its standard
        // input to the end of time.
        this.#key(CTRL_A);
        return true;
      }
      this.#paste = { code: [], left: pasteWindow, isRefused: false };
      // The board's buffer has room for two windows.
      this.#print(0x52, 0x01, pasteWindow & 0xff, pasteWindow >> 8, 0x01);
    }
    return true;
  }

  #takePasted(paste: Paste, byte: number): void {
    const { pasteWindow = 128, maxPaste = Number.POSITIVE_INFINITY } = this.#options;
    if (byte === CTRL_D) {
      this.#paste = null;
      if (paste.isRefused) {
        this.#print(CTRL_D, ...encode('Traceback (most recent call last):\r\nMemoryError: \r\n'), CTRL_D, 0x3e);
        return;
      }
      this.#print(CTRL_D);
      this.#runPasted(paste.code);
      return;
    }
    if (paste.isRefused) {
      return;
    }
    paste.code.push(byte);
    if (paste.code.length > maxPaste) {
      paste.isRefused = true;
      this.#print(CTRL_D);
      return;
    }
    if (--paste.left === 0) {
      paste.left = pasteWindow ?? 0;
      this.#print(0x01);
    }
  }

  /** Runs code as the raw REPL does, without its `OK`. */
  #runPasted(code: readonly number[]): void {
    const before = this.#printed.length;
    for (const byte of code) {
      this.#running.key(byte);
    }
    const lines = this.#linesBeforeWait;
    this.#linesBeforeWait = null;
    if (lines !== null) {
      this.#linesLeft = lines - 1;
    }
    this.#key(CTRL_D);
    this.#printed.splice(before, 2);
    if (lines !== null) {
      this.#afterInterrupt = this.#printed.splice(this.#endOfLine(before, lines));
    }
  }

  /** Returns the place behind a number of lines in what was printed from `start` on. */
  #endOfLine(start: number, lines: number): number {
    let end = start;
    for (let line = 0; line < lines; line++) {
      end = this.#printed.indexOf(0x0a, end) + 1;
    }
    return end;
  }

  #key(byte: number): void {
    const before = this.#printed.length;
    const isReset = this.#running.key(byte);
    if (this.#mode === 'raw') {
      this.#hasLine = ![CTRL_A, CTRL_B, CTRL_C, CTRL_D].includes(byte);
      if (byte === CTRL_B) {
        this.#mode = 'friendly';
      }
    } else if (byte === CTRL_A && decode(this.#printed.slice(before)).includes('raw REPL')) {
      this.#mode = 'raw';
      this.#hasLine = false;
    }
    if (isReset) {
      this.#print(...encode('MPY: soft reboot\r\n'));
      this.#start(this.#mode === 'friendly');
    }
  }

  /** Starts the interpreter, and `main.py` unless the raw REPL asked for the reset. */
  #start(runsMain: boolean): void {
    const interpreter = this.#running;
    const { isReadOnly = false, missing = [] } = this.#options;
    this.#paste = null;
    this.#afterInterrupt = null;
    this.#held = [];
    interpreter.start(isReadOnly);
    const hide = missing.map((name) => `sys.modules['${name}']=None\nsys.modules['u${name}']=None\n`);
    interpreter.run(`import sys\n${hide.join('')}del sys`);
    if (!runsMain) {
      const before = this.#printed.length;
      interpreter.beginRepl();
      this.#printed.length = before;
      this.#key(CTRL_A);
      return;
    }
    const main = this.#main;
    if (main?.includes('while True') === true) {
      this.#mode = 'program';
      return;
    }
    this.#mode = 'friendly';
    if (main !== null) {
      this.#print(...encode(interpreter.run(main)));
    }
    interpreter.beginRepl();
  }

  #endProgram(): void {
    this.#mode = 'friendly';
    this.#linesLeft = 0;
    this.#print(...encode(this.#running.run(this.#main ?? '').replaceAll('\n', '\r\n')));
    this.#linesLeft = null;
    this.#running.beginRepl();
  }

  get #main(): string | null {
    const { files } = this.#running;
    const path = '/main.py';
    return files.analyzePath(path).exists ? new TextDecoder().decode(files.readFile(path)) : null;
  }

  /** Gives the files of the interpreter the limits of a board's file system. */
  #limitFiles({ files }: Interpreter): void {
    const { capacity, isFat = false } = this.#options;
    const { write, rename } = files;
    if (capacity !== undefined) {
      files.write = (stream, buffer, offset, length, position) => {
        const used = [...this.files.values()].reduce((sum, content) => sum + (content?.length ?? 0), 0);
        if (!stream.path.startsWith('/dev/') && used + length > capacity) {
          throw new files.ErrnoError(ENOSPC);
        }
        return write(stream, buffer, offset, length, position);
      };
    }
    if (isFat) {
      files.rename = (from, to) => {
        if (files.analyzePath(to).exists) {
          throw new files.ErrnoError(EEXIST);
        }
        rename(from, to);
      };
    }
  }

  /** Prints a byte of the interpreter. Ports of MicroPython for boards end lines with CR and LF. */
  #cooked(byte: number): void {
    if (byte === 0x0a && this.#printed.at(-1) !== 0x0d) {
      this.#print(0x0d);
    }
    this.#print(byte);
  }

  #print(...bytes: readonly number[]): void {
    this.#printed.push(...bytes);
    if (this.#linesLeft !== null && bytes.includes(0x0a) && this.#linesLeft-- <= 0) {
      this.#linesLeft = null;
      this.#running.interrupt();
    }
  }

  #flush(): void {
    const bytes = Uint8Array.from(this.#printed);
    this.#printed = [];
    this.#line?.write(bytes);
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
