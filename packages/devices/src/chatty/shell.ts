/** The board's command line: prompt, echo, one command at a time. */
import type { CommandBoard, Job } from './command.ts';
import { commands } from './commands.ts';
import { LineEditor } from './line-editor.ts';

const prompt = 'demo> ';

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
      if (name === 'stop') {
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
