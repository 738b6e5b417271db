/** The dialog of the button: one screen at a time, with its heading, its content and its actions. */
import { type Child, make } from './dom.ts';

export interface Action {
  readonly label: string;
  /** True: the one thing that most people want here. At most one on a screen. */
  readonly isPrimary?: boolean;
  readonly run: () => void;
}

export interface Screen {
  readonly title: string;
  readonly body: readonly Child[];
  readonly actions: readonly Action[];
  /** Element that gets the focus. Default: the heading. */
  readonly focus?: HTMLElement;
}

export interface DialogEvents {
  /** A person wants to close the dialog. The dialog stays open until `close` is called. */
  readonly closing: () => void;
  /** The browser has closed the dialog without asking. */
  readonly closed: () => void;
}

export class FlashDialog {
  readonly #element: HTMLDialogElement;
  readonly #heading = make('h2', { id: 'title', tabindex: '-1', part: 'title' });
  readonly #badge = make('span', { class: 'badge', part: 'demo', hidden: true }, 'Demo');
  readonly #body = make('div', { class: 'body', part: 'body' });
  readonly #actions = make('div', { class: 'actions', part: 'actions' });
  /** Read aloud when it changes. */
  readonly #live = make('p', { class: 'quiet', role: 'status' });
  #isClosing = false;

  constructor(root: ShadowRoot, events: DialogEvents) {
    const close = make('button', { type: 'button', class: 'close', part: 'close', 'aria-label': 'Close' }, '✕');
    close.addEventListener('click', () => events.closing());
    this.#element = make(
      'dialog',
      { part: 'dialog', 'aria-labelledby': 'title' },
      make('div', { class: 'head' }, this.#heading, this.#badge, close),
      this.#body,
      this.#actions,
      this.#live,
    );
    this.#element.addEventListener('cancel', (event) => {
      event.preventDefault();
      events.closing();
    });
    this.#element.addEventListener('close', () => {
      this.#element.remove();
      if (!this.#isClosing) {
        events.closed();
      }
    });
    root.append(this.#element);
  }

  open(screen: Screen): void {
    this.#fill(screen);
    this.#element.showModal();
    this.#heading.focus();
  }

  /** Replaces the screen, and moves the focus to it. */
  show(screen: Screen): void {
    this.#fill(screen);
    (screen.focus ?? this.#heading).focus();
  }

  /** Labels every screen from now on: true for a simulated board. */
  labelDemo(isDemo: boolean): void {
    this.#badge.hidden = !isDemo;
  }

  /** Has a screen reader read a sentence when it is idle. */
  announce(text: string): void {
    this.#live.textContent = text;
  }

  close(): void {
    this.#isClosing = true;
    this.#element.close();
  }

  /** Replaces the actions of the screen. The focus stays on the action of the same name. */
  setActions(actions: readonly Action[]): void {
    const { activeElement } = this.#element.getRootNode() as ShadowRoot;
    const focused = this.#actions.contains(activeElement) ? activeElement?.textContent : null;
    this.#fillActions(actions);
    const [same] = [...this.#actions.children].filter(({ textContent }) => textContent === focused);
    if (same instanceof HTMLElement) {
      same.focus();
    }
  }

  #fill({ title, body, actions }: Screen): void {
    this.#heading.textContent = title;
    this.#body.replaceChildren(...body.filter((child) => child !== null));
    this.#body.scrollTop = 0;
    this.#fillActions(actions);
  }

  #fillActions(actions: readonly Action[]): void {
    this.#actions.replaceChildren(
      ...actions.map(({ label, isPrimary = false, run }) => {
        const button = make('button', { type: 'button', class: isPrimary ? 'primary' : null, part: 'action' }, label);
        button.addEventListener('click', run);
        return button;
      }),
    );
  }
}
