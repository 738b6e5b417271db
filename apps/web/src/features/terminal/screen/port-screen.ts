/**
 * The Screen of one port: a terminal that keeps its state while other things are shown. It receives bytes only while it is
 * shown, goes on where it was when it is shown again, and sends keys at once.
 */
import type { PortNumber } from '@wirebench/serial';
import type { Terminal } from '@xterm/xterm';
import type { ScreenBytes } from '../../../protocol/screen-protocol.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { offerPaste } from '../send/paste-dock-store.ts';
import { stopSending } from '../send/stop-sending.ts';
import { terminalSessionNow } from '../terminal-session.ts';
import { type MadeTerminal, makeTerminal } from './make-terminal.ts';
import { cellSize, openUnderPolicy } from './open-under-policy.ts';
import { alternateOff, modesOff, ScreenStream } from './screen-bytes.ts';
import { keySequence, type NamedKey, withControl } from './screen-keys.ts';
import type { ScreenLine } from './screen-line.ts';
import { backspaceKeys, currentScreen, enterKeys, noteCursor } from './screen-settings.ts';
import { screenTheme } from './screen-theme.ts';

export interface ScreenState {
  readonly columns: number;
  readonly rows: number;
  /** The Ctrl key of the key row: for the next key, or until it is pressed again. */
  readonly control: 'off' | 'once' | 'locked';
  readonly hasSelection: boolean;
  /** True: the size has changed since the board received it, or since the Screen was opened. */
  readonly isSizeNew: boolean;
}

const encoder = new TextEncoder();

/**
 * Milliseconds after a key for which a boot text in the alternate screen is what a program shows, such as a log in a pager,
 * and no restart of the board.
 */
const answerTime = 2_000;

export class PortScreen {
  readonly port: PortNumber;
  readonly terminal: Terminal;
  /** The element that holds the terminal. A view puts it into its own. */
  readonly element = document.createElement('div');
  readonly state = pageStore<ScreenState>({
    columns: 80,
    rows: 24,
    control: 'off',
    hasSelection: false,
    isSizeNew: false,
  });
  readonly #line: ScreenLine;
  readonly #stream = new ScreenStream();
  /** Offset of the next byte; null until the first bytes have come. */
  #next: number | null = null;
  /** True: queries in the bytes that are parsed now stay unanswered. */
  #isQuiet = true;
  #isPasting = false;
  #isOpen = false;
  /** True: the terminal gets the focus as soon as it is in the document. */
  #wantsFocus = false;
  /** Size that the board knows, or had at the beginning, as `columns×rows`. Null: not fitted yet. */
  #knownSize: string | null = null;
  /** Time of the last key that was sent. */
  #typedAt = Number.NEGATIVE_INFINITY;
  /** True: the port was closed, so the program that set the modes may be gone. */
  #wasClosed = false;
  /** True: a person may type here now. */
  #isLive = false;
  /** Called for the keys that leave the Screen. */
  onLeave: () => void = () => undefined;
  /** Called for the keys that find. */
  onFind: () => void = () => undefined;

  constructor(port: PortNumber, line: ScreenLine) {
    this.port = port;
    this.#line = line;
    const { typeSize, readsAloud } = currentScreen();
    const made: MadeTerminal = makeTerminal(
      { fontSize: typeSize, screenReaderMode: readsAloud },
      {
        allowed: () => !this.#isQuiet,
        send: (answer) => {
          line.send({ kind: 'answer', port, bytes: encoder.encode(answer) });
          this.#noteAnswer(answer);
        },
      },
    );
    const { terminal } = made;
    this.terminal = terminal;
    made.onInput((data) => this.#input(data));
    terminal.onBinary((data) => this.#send(Uint8Array.from(data, (character) => character.charCodeAt(0))));
    terminal.onResize(({ cols, rows }) =>
      this.state.setState({ columns: cols, rows, isSizeNew: this.#isSizeNew(cols, rows) }),
    );
    terminal.onCursorMove(() => this.#noteCursor());
    terminal.onSelectionChange(() => this.state.setState({ hasSelection: terminal.hasSelection() }));
    terminal.attachCustomKeyEventHandler((event) => this.#passes(event));
    this.element.addEventListener('paste', (event) => this.#pasted(event), { capture: true });
  }

  /** Receives bytes from now on. The element must be in the document. */
  show(): void {
    const { terminal } = this;
    if (!this.#isOpen) {
      this.#isOpen = true;
      terminal.options.fontFamily = getComputedStyle(this.element).getPropertyValue('--font-mono');
      this.look();
      openUnderPolicy(terminal, this.element);
      // Tab does not lead into the terminal: it would not lead out again.
      terminal.textarea?.setAttribute('tabindex', '-1');
    }
    if (this.#wantsFocus) {
      this.focus();
    }
    this.#noteCursor();
    this.#line.show(this.port, this.#next, (bytes) => this.#receive(bytes));
  }

  #noteCursor(): void {
    const { rows, buffer } = this.terminal;
    if (terminalSessionNow().selectedPort === this.port) {
      noteCursor(buffer.active.cursorY, rows);
    }
  }

  hide(): void {
    this.#wantsFocus = false;
    this.#line.hide(this.port);
  }

  /** Applies the theme and the settings. */
  look(): void {
    const { typeSize, readsAloud } = currentScreen();
    const { options } = this.terminal;
    options.theme = screenTheme(this.element);
    options.fontSize = typeSize;
    options.screenReaderMode = readsAloud;
  }

  /** Fits the grid into `width` × `height` pixels, or gives it its fixed size. The board is not told. */
  fit(width: number, height: number): void {
    const { terminal } = this;
    if (!this.#isOpen) {
      return;
    }
    const cell = cellSize(terminal);
    if (currentScreen().size === '80x24') {
      terminal.resize(80, 24);
    } else if (cell.width > 0 && cell.height > 0 && width > 0 && height > 0) {
      const columns = Math.floor(width / cell.width);
      const rows = Math.floor(height / cell.height);
      if (columns !== terminal.cols || rows !== terminal.rows) {
        terminal.resize(Math.max(columns, 2), Math.max(rows, 1));
      }
    }
    this.#knownSize ??= `${terminal.cols}×${terminal.rows}`;
  }

  /** @param isLive True: keys go to the board. @param label Name of the terminal for screen readers. */
  setLive(isLive: boolean, label: string): void {
    this.#isLive = isLive;
    this.terminal.options.disableStdin = !isLive;
    this.terminal.textarea?.setAttribute('aria-label', label);
  }

  /** Focuses the terminal, now or when it is in the document. */
  focus(): void {
    this.#wantsFocus = !this.#isOpen;
    this.terminal.focus();
  }

  /** Empties the screen and ends all modes. Nothing is sent. */
  reset(): void {
    this.#stream.reset();
    this.terminal.reset();
  }

  /** Takes the state of the port: a connection that follows another one has another program behind it. */
  setOpen(isOpen: boolean): void {
    if (!isOpen) {
      this.#wasClosed = true;
    } else if (this.#wasClosed) {
      this.#endModes();
    }
  }

  press(key: NamedKey): void {
    this.type(keySequence(key, this.terminal.modes.applicationCursorKeysMode));
  }

  /** Types `keys` as if they were pressed. */
  type(keys: string): void {
    this.terminal.input(keys, true);
  }

  /**
   * Tells a Unix shell on the board how large the screen is. Returns false, and sends nothing, while a full-screen program
   * would take the command as keys.
   */
  sendSize(): boolean {
    const { cols, rows, buffer } = this.terminal;
    if (buffer.active.type === 'alternate') {
      return false;
    }
    this.type(`stty cols ${cols} rows ${rows}`);
    this.type('\r');
    this.#tellSize();
    return true;
  }

  #isSizeNew(columns: number, rows: number): boolean {
    return this.#knownSize !== null && this.#knownSize !== `${columns}×${rows}`;
  }

  #tellSize(): void {
    this.#knownSize = `${this.terminal.cols}×${this.terminal.rows}`;
    this.state.setState({ isSizeNew: false });
  }

  /** Notices that the board has asked for the size: by CSI 18 t, or by the place of a cursor in the last corner. */
  #noteAnswer(answer: string): void {
    const { cols, rows } = this.terminal;
    if (answer === `\x1b[8;${rows};${cols}t` || answer === `\x1b[${rows};${cols}R`) {
      this.#tellSize();
    }
  }

  paste(text: string): void {
    if (!this.#isLive || text === '') {
      return;
    }
    const { enter } = currentScreen().keys[this.port];
    const how = { mode: 'text', lineEnding: enter } as const;
    if (!offerPaste({ text, how, asOne: () => this.#paste(text) })) {
      this.#paste(text);
    }
  }

  /** Steps Ctrl of the key row on: for one key, then locked, then off. */
  pressControl(): void {
    const { control } = this.state.getState();
    this.state.setState({ control: control === 'off' ? 'once' : control === 'once' ? 'locked' : 'off' });
  }

  #receive({ bytes, end, isQuiet, startsOver }: ScreenBytes): void {
    const { terminal } = this;
    if (startsOver) {
      this.#stream.reset();
    }
    this.#next = end;
    // In the order of the bytes: earlier ones may not have been parsed.
    terminal.write('', () => {
      this.#isQuiet = isQuiet;
      if (startsOver) {
        terminal.reset();
      }
    });
    if (this.#wasClosed) {
      this.#endModes();
    }
    for (const piece of this.#stream.take(bytes)) {
      const inAlternate = terminal.buffer.active.type === 'alternate';
      if (piece.restarts && !(inAlternate && performance.now() - this.#typedAt < answerTime)) {
        this.#endModes();
        // The alternate screen has gone with the beginning of the line.
        terminal.write(inAlternate ? piece.before : '');
      }
      terminal.write(piece.bytes);
    }
    terminal.write('', () => this.#line.send({ kind: 'taken', port: this.port }));
  }

  /** Ends the modes of a program that is gone. The text stays. */
  #endModes(): void {
    const { terminal } = this;
    this.#wasClosed = false;
    terminal.write(`\x18${terminal.buffer.active.type === 'alternate' ? alternateOff : ''}${modesOff}`);
  }

  #input(data: string): void {
    const { control } = this.state.getState();
    const keys = currentScreen().keys[this.port];
    const enter = enterKeys[keys.enter];
    let typed = data;
    if (this.#isPasting) {
      typed = this.terminal.modes.bracketedPasteMode ? data : data.replaceAll('\r', enter);
    } else if (data === '\r') {
      typed = enter;
    } else if (data === backspaceKeys.del) {
      typed = backspaceKeys[keys.backspace];
    } else if (control !== 'off') {
      typed = withControl(data);
      if (control === 'once') {
        this.state.setState({ control: 'off' });
      }
    }
    this.#send(encoder.encode(typed));
    if (keys.localEcho && this.#isLive) {
      this.terminal.write(echoOf(data));
    }
  }

  #send(bytes: Uint8Array): void {
    if (this.#isLive) {
      this.#typedAt = performance.now();
      this.#line.send({ kind: 'keys', port: this.port, bytes });
    }
  }

  /** Returns true if the terminal handles the key. */
  #passes(event: KeyboardEvent): boolean {
    if (!this.#isLive) {
      // The board takes no keys: they work as anywhere on the page.
      return false;
    }
    const { key, ctrlKey, shiftKey, altKey, metaKey, type } = event;
    const isCtrlC = ctrlKey && !shiftKey && key.toLowerCase() === 'c';
    if (type === 'keydown' && !altKey && !metaKey && (isCtrlC || key === 'Escape') && stopSending(this.port)) {
      // Ctrl+C goes to the board as well. Escape was meant for the text that was on its way.
      return isCtrlC;
    }
    if (!(ctrlKey && shiftKey) || altKey || metaKey) {
      if (key === 'Tab' && type === 'keydown') {
        // With a screen reader's mode on, xterm.js leaves the focus to the browser.
        event.preventDefault();
      }
      return true;
    }
    switch (key.toUpperCase()) {
      case 'ENTER':
        if (type === 'keydown') {
          event.preventDefault();
          event.stopPropagation();
          this.onLeave();
        }
        return false;
      case 'F':
        if (type === 'keydown') {
          event.preventDefault();
          event.stopPropagation();
          this.onFind();
        }
        return false;
      case 'C':
        if (type === 'keydown') {
          event.preventDefault();
          event.stopPropagation();
          this.copy();
        }
        return false;
      case 'V':
        // The browser pastes, which needs no permission.
        return false;
      default:
        return true;
    }
  }

  /** Copies the selection. */
  readonly copy = (): void => {
    const text = this.terminal.getSelection();
    if (text !== '') {
      void import('../../../shared/files/copy-text.ts').then(({ copyText }) =>
        copyText(text, 'Text of the Screen copied'),
      );
    }
  };

  #pasted(event: ClipboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
    this.paste(event.clipboardData?.getData('text/plain') ?? '');
  }

  #paste(text: string): void {
    this.#isPasting = true;
    // An escape could end the brackets, and what follows would count as typed.
    this.terminal.paste(text.replaceAll('\x1b', ''));
    this.#isPasting = false;
  }
}

/** Returns what a terminal shows for typed keys: the text, a new line for Enter, and nothing for other keys. */
function echoOf(typed: string): string {
  if (typed.startsWith('\x1b')) {
    return '';
  }
  const shown = { '\r': '\r\n', '\x7f': '\b \b', '\b': '\b \b', '\t': '\t' } as Readonly<Record<string, string>>;
  return Array.from(typed, (character) => shown[character] ?? (character < ' ' ? '' : character)).join('');
}
