/**
 * The genuine MicroPython interpreter (WebAssembly port, PyScript variant) with its REPL and files in memory. Each
 * key is processed to its end before the next: code that runs cannot receive keys.
 */

/** The part of Emscripten's file system that is used. */
interface MemoryFiles {
  /** Errors that leave a call of the file system have a board's number. */
  readonly ErrnoError: new (
    number: number,
  ) => Error & { errno: number };
  mkdir(path: string): void;
  readdir(path: string): string[];
  stat(path: string): { readonly mode: number; readonly size: number };
  isDir(mode: number): boolean;
  readFile(path: string): Uint8Array<ArrayBuffer>;
  writeFile(path: string, content: Uint8Array | string): void;
  analyzePath(path: string): { readonly exists: boolean };
  write(stream: { readonly path: string }, buffer: unknown, offset: number, length: number, position?: number): number;
  rename(from: string, to: string): void;
}

interface Loaded {
  readonly FS: MemoryFiles;
  readonly _module: {
    _mp_sched_keyboard_interrupt(): void;
    ccall(name: string, result: string, types: readonly string[], values: readonly unknown[]): unknown;
  };
  runPython(code: string): unknown;
  replInit(): void;
  replProcessChar(byte: number): number;
}

interface Options {
  readonly heapsize: number;
  readonly pystack: number;
  readonly linebuffer: false;
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
}

/** Error numbers of boards (py/mperrno.h) by those of WASI (wasi_snapshot_preview1, `errno`), which Emscripten uses. */
const boardNumbers: Readonly<Record<number, number>> = {
  2: 13,
  8: 9,
  10: 16,
  20: 17,
  28: 22,
  31: 21,
  37: 36,
  44: 2,
  51: 28,
  54: 20,
  55: 39,
  63: 1,
  69: 30,
  75: 18,
};

/** Folders of Emscripten that a board does not have. They are needed, and hidden. */
const hidden = ['dev', 'proc', 'home', 'tmp'];
const HEAP_BYTES = 1 << 20;
/** In words. */
const STACK = 2_048;
/** The package has no types and exports nothing: it defines a global function. */
const packageName: string = '@micropython/micropython-webassembly-pyscript/micropython.mjs';

export class Interpreter {
  readonly #loaded: Loaded;

  private constructor(loaded: Loaded) {
    this.#loaded = loaded;
  }

  /** @param onOutput Called with each byte that the interpreter prints, also while code runs. */
  static async load(onOutput: (byte: number) => void): Promise<Interpreter> {
    await import(packageName);
    const { loadMicroPython } = globalThis as unknown as { loadMicroPython: (options: Options) => Promise<Loaded> };
    const print = (bytes: Uint8Array) => bytes.forEach(onOutput);
    const loaded = await loadMicroPython({
      heapsize: HEAP_BYTES,
      pystack: STACK,
      linebuffer: false,
      stdout: print,
      stderr: print,
    });
    numberAsBoards(loaded.FS);
    const { readdir } = loaded.FS;
    loaded.FS.readdir = (path) => readdir(path).filter((name) => path !== '/' || !hidden.includes(name));
    return new Interpreter(loaded);
  }

  get files(): MemoryFiles {
    return this.#loaded.FS;
  }

  /** Empties the heap and mounts the files, as a soft reset does. The files stay. */
  start(isReadOnly: boolean): void {
    const { _module } = this.#loaded;
    this.#select();
    _module.ccall('mp_js_init', 'null', ['number', 'number'], [STACK, HEAP_BYTES]);
    _module.ccall('proxy_c_init', 'null', [], []);
    this.run(
      `import os\nos.umount('/')\nos.mount(os.VfsPosix(),'/',readonly=${isReadOnly ? 'True' : 'False'})\ndel os`,
    );
  }

  /** Runs code outside of the REPL. Returns the text of an exception; empty without one. */
  run(code: string): string {
    this.#select();
    try {
      this.#loaded.runPython(code);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Prints banner and prompt. */
  beginRepl(): void {
    this.#loaded.replInit();
  }

  /** Gives a key to the REPL. Returns true if it asks for a soft reset. */
  key(byte: number): boolean {
    return this.#loaded.replProcessChar(byte) !== 0;
  }

  /** The package's own functions work on the module that is global, which is the one that was loaded last. */
  #select(): void {
    Object.assign(globalThis, { Module: this.#loaded._module });
  }

  /** Raises KeyboardInterrupt in running code. */
  interrupt(): void {
    this.#loaded._module._mp_sched_keyboard_interrupt();
  }
}

const numbered = ['open', 'stat', 'lstat', 'mkdir', 'rmdir', 'unlink', 'rename', 'readdir', 'lookupPath'] as const;

/** Gives errors that leave the file system the numbers of boards. Inside, it compares its own numbers. */
function numberAsBoards(files: MemoryFiles): void {
  let depth = 0;
  for (const name of numbered) {
    const call: unknown = Reflect.get(files, name);
    if (typeof call !== 'function') {
      continue;
    }
    Reflect.set(files, name, (...values: readonly unknown[]) => {
      depth++;
      try {
        return call.apply(files, values);
      } catch (error) {
        if (depth === 1 && error instanceof files.ErrnoError) {
          error.errno = boardNumbers[error.errno] ?? error.errno;
        }
        throw error;
      } finally {
        depth--;
      }
    });
  }
}
