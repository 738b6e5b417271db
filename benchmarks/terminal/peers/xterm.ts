/** xterm.js with a million lines of scrollback and its DOM renderer. Runs in the browser. */
import { Terminal } from '@xterm/xterm';

export function mount(root: HTMLElement): (bytes: Uint8Array) => void {
  const terminal = new Terminal({ cols: 120, rows: 35, scrollback: 1_000_000 });
  terminal.open(root);
  return (bytes) => terminal.write(bytes);
}
