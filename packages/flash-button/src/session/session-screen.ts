/** Shows screens in the dialog and tells the page of them, until the dialog is closed. */
import type { Child } from '../element/dom.ts';
import type { Action } from '../element/flash-dialog.ts';
import type { WirebenchFailureDetail, WirebenchFlashState } from '../public-types.ts';
import { failureFacts } from './screens.ts';
import type { SessionParts } from './session-parts.ts';

export class SessionScreen {
  readonly #parts: Pick<SessionParts, 'dialog' | 'onState' | 'send'>;
  #isOver = false;
  /** Called when the board has answered by Improv. Each screen clears it. */
  onWifi: () => void = () => undefined;

  constructor(parts: Pick<SessionParts, 'dialog' | 'onState' | 'send'>) {
    this.#parts = parts;
  }

  /** True: the dialog was closed. Nothing more is shown. */
  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
  }

  show(
    state: WirebenchFlashState,
    title: string,
    body: readonly Child[],
    actions: readonly Action[],
    message: string,
    focus?: HTMLElement,
  ): void {
    if (this.#isOver) {
      return;
    }
    const { dialog, onState } = this.#parts;
    this.onWifi = () => undefined;
    dialog.show({ title, body, actions, ...(focus !== undefined && { focus }) });
    dialog.announce(message);
    onState(state, message);
  }

  /** @param more Shown below the failure. */
  fail(
    failure: WirebenchFailureDetail,
    actions: readonly Action[],
    title = 'This did not work',
    more: readonly Child[] = [],
  ): void {
    if (!this.#isOver) {
      this.show('failure', title, [...failureFacts(failure), ...more], actions, failure.message);
      this.#parts.send('wirebench-failure', failure);
    }
  }
}
