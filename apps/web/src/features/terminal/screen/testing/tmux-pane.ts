/**
 * A program in a pane of tmux: its raw output for a terminal of ours, and the screen that tmux makes of it. Linux with tmux.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const columns = 80;
export const lines = 24;

/** Returns true if all programs can be called. */
export const programsAreHere = (...programs: readonly string[]): boolean =>
  programs.every((program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0);

const configuration = `
set -g default-terminal xterm-256color
set -g status off
set -s escape-time 0
set -g default-size ${columns}x${lines}
`;

/** The pane waits for a line before it starts the program, so that its first byte is recorded. */
const starter = 'stty -echo; read -r go; stty echo 115200; exec "$@"';

export class TmuxPane {
  readonly folder = mkdtempSync(join(tmpdir(), 'screen-'));
  readonly #socket = join(this.folder, 'tmux');
  readonly #raw = join(this.folder, 'raw');

  constructor(...command: readonly string[]) {
    const file = join(this.folder, 'tmux.conf');
    writeFileSync(file, configuration);
    writeFileSync(this.#raw, '');
    const environment = { HOME: this.folder, TERM: 'xterm-256color', LANG: 'C.UTF-8', PS1: '$ ' };
    const set = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const size = ['-x', String(columns), '-y', String(lines)];
    this.#tmux('-f', file, 'new-session', '-d', ...size, 'env', ...set, 'sh', '-c', starter, 'sh', ...command);
    this.#tmux('pipe-pane', '-o', `cat >> '${this.#raw}'`);
    this.keys('Enter');
  }

  /** Bytes that the program has written so far. */
  get raw(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(readFileSync(this.#raw));
  }

  /** The screen as tmux sees it: lines with SGR sequences. */
  get screen(): string {
    return this.#tmux('capture-pane', '-p', '-e', '-N');
  }

  get text(): string {
    return this.#tmux('capture-pane', '-p');
  }

  /** Column and row of the cursor, from 0. */
  get cursor(): string {
    return this.#tmux('display-message', '-p', '#{cursor_x},#{cursor_y}').trim();
  }

  /** Presses keys by tmux's names: `Enter`, `C-c`, `Up`. */
  keys(...names: readonly string[]): void {
    this.#tmux('send-keys', ...names);
  }

  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
  }

  end(): void {
    this.#tmux('kill-server');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #tmux(...args: readonly string[]): string {
    return spawnSync('tmux', ['-S', this.#socket, ...args], { encoding: 'utf8' }).stdout;
  }
}
