/** The board's command line: prompt, echo, one command at a time. */
import type { CommandBoard, Job } from './command.ts';
import { commands } from './commands.ts';

const prompt = 'demo> ';

/**
 * The line editor of a small shell: echo, backspace and Ctrl+C. Enter may be CR, LF or both. The shell interprets the
 * lines.
 */
interface Typist {
  echo(bytes: Uint8Array): void;
  line(text: string): void;
  /** Called on Ctrl+C, after the typed line has been discarded. */
  interrupt(): void;
}

/** Longest line in bytes. Further input is ignored. */
const longestLine = 256;

const ctrlC = 0x03;
const backspace = 0x08;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const del = 0x7f;
/** Cursor back, blank over the character, cursor back. */
const rubOut = Uint8Array.of(0x08, 0x20, 0x08);

export class LineEditor {
  readonly #typist: Typist;
  #typed: number[] = [];
  #lastWasReturn = false;

  constructor(typist: Typist) {
    this.#typist = typist;
  }

  /** The bytes typed since the last Enter. */
  get typed(): Uint8Array {
    return Uint8Array.from(this.#typed);
  }

  receive(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const endsReturn = byte === lineFeed && this.#lastWasReturn;
      this.#lastWasReturn = byte === carriageReturn;
      if (!endsReturn) {
        this.#type(byte);
      }
    }
  }

  #type(byte: number): void {
    if (byte === carriageReturn || byte === lineFeed) {
      const text = new TextDecoder().decode(this.typed);
      this.#typed = [];
      this.#typist.line(text);
    } else if (byte === ctrlC) {
      this.#typed = [];
      this.#typist.interrupt();
    } else if (byte === backspace || byte === del) {
      this.#rubOut();
    } else if (byte >= 0x20 && this.#typed.length < longestLine) {
      this.#typed.push(byte);
      this.#typist.echo(Uint8Array.of(byte));
    }
  }

  /** Deletes the last character, with all bytes of its UTF-8 sequence. */
  #rubOut(): void {
    let last = this.#typed.pop();
    if (last === undefined) {
      return;
    }
    while (last !== undefined && (last & 0xc0) === 0x80) {
      last = this.#typed.pop();
    }
    this.#typist.echo(rubOut);
  }
}

export class Shell {
  readonly #board: CommandBoard;
  readonly #editor: LineEditor;
  #job: Job | null = null;
  /** True: the last line of the output is the prompt. */
  #isPrompted = false;
  #stopped = false;

  /** Prints the first prompt. */
  constructor(board: CommandBoard) {
    this.#board = board;
    this.#editor = new LineEditor({
      echo: (bytes) => {
        if (this.#job === null) {
          this.#promptOnce();
          board.send(bytes);
        }
      },
      line: (text) => this.#enter(text),
      interrupt: () => this.#interrupt(),
    });
    this.#prompt();
  }

  receive(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // A command may have halted this shell. Input after it is lost with the rest of the chip's state.
      if (!this.#stopped) {
        this.#editor.receive(Uint8Array.of(byte));
      }
    }
  }

  writable(): void {
    this.#job?.writable?.();
  }

  /**
   * Prints a log line, and restores the typed text after it. The prompt alone is not repeated after each line: the next
   * key brings it back. Does nothing while a command runs.
   */
  interject(line: string): void {
    if (this.#job !== null) {
      return;
    }
    const { typed } = this.#editor;
    this.#board.print(this.#isPrompted ? `\n${line}` : line);
    this.#isPrompted = false;
    if (typed.length > 0) {
      this.#prompt();
      this.#board.send(typed);
    }
  }

  /** Stops the shell because the chip halts. A running command ends without a message. */
  halt(): void {
    this.#stopped = true;
    this.#job?.halt();
    this.#job = null;
  }

  #enter(text: string): void {
    const [name = '', ...args] = text.trim().split(/\s+/);
    if (this.#job !== null) {
      if (this.#job.line !== undefined) {
        this.#job.line(text);
      } else if (name === 'stop') {
        this.#job.stop();
      }
      return;
    }
    this.#promptOnce();
    this.#isPrompted = false;
    this.#board.print('\n');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command !== undefined) {
      this.#job = command.run(args, this.#board, () => this.#done());
    } else if (name !== '') {
      this.#board.print(`unknown command: ${name}. Type 'help' for the list.\n`);
    }
    if (this.#job === null && !this.#stopped) {
      this.#prompt();
    }
  }

  #prompt(): void {
    this.#board.print(prompt);
    this.#isPrompted = true;
  }

  #promptOnce(): void {
    if (!this.#isPrompted) {
      this.#prompt();
    }
  }

  #interrupt(): void {
    if (this.#job === null) {
      this.#board.print('^C\n');
      this.#prompt();
    } else {
      this.#job.stop();
    }
  }

  #done(): void {
    this.#job = null;
    this.#prompt();
  }
}
