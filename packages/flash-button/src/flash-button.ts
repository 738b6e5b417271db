/**
 * `<wirebench-flash>`: a button that flashes a board from any web page. This file holds the button and the frame of
 * its dialog. A click fetches the rest, each family of chips by itself.
 */
import { adoptStyle, make } from './element/dom.ts';
import { FlashDialog } from './element/flash-dialog.ts';
import { style } from './element/style.ts';
import { pageFacts, supportOf, supportWords, waysElsewhere } from './element/support.ts';
import type { WirebenchFlashElement, WirebenchFlashState } from './public-types.ts';
import type { FlashSession } from './session/flash-session.ts';

/** Frameworks that render on a server import this file without a document. Nothing is defined there. */
const hasDocument = typeof HTMLElement !== 'undefined';
const BaseElement = hasDocument ? HTMLElement : (class {} as unknown as typeof HTMLElement);

class WirebenchFlash extends BaseElement implements WirebenchFlashElement {
  #dialog: FlashDialog | null = null;
  #session: FlashSession | null = null;
  #root: ShadowRoot | null = null;

  get manifest(): string | null {
    return this.getAttribute('manifest');
  }
  set manifest(address: string | null) {
    this.#set('manifest', address);
  }

  get release(): string | null {
    return this.getAttribute('release');
  }
  set release(address: string | null) {
    this.#set('release', address);
  }

  get demo(): boolean {
    return this.hasAttribute('demo');
  }
  set demo(offered: boolean) {
    this.toggleAttribute('demo', offered);
  }

  get eraseFirst(): boolean {
    return this.hasAttribute('erase-first');
  }
  set eraseFirst(erased: boolean) {
    this.toggleAttribute('erase-first', erased);
  }

  get baudRate(): number | null {
    const rate = Number(this.getAttribute('baud-rate'));
    return Number.isSafeInteger(rate) && rate > 0 ? rate : null;
  }
  set baudRate(rate: number | null) {
    this.#set('baud-rate', rate === null ? null : String(rate));
  }

  get state(): WirebenchFlashState {
    return (this.getAttribute('state') ?? 'idle') as WirebenchFlashState;
  }

  connectedCallback(): void {
    if (this.#root !== null) {
      return;
    }
    this.#upgrade();
    const root = this.attachShadow({ mode: 'open' });
    this.#root = root;
    adoptStyle(root, style);
    const support = supportOf(pageFacts());
    // A simulated board needs no serial port.
    const isUsable = support === 'ready' || (this.demo && support !== 'outdated');
    this.toggleAttribute('install-supported', isUsable);
    this.toggleAttribute('install-unsupported', !isUsable);
    this.setAttribute('state', 'idle');
    if (support !== 'ready' && !isUsable) {
      const { slot, text } = supportWords(support);
      const ways = support === 'unsupported' ? waysElsewhere() : [];
      root.append(make('slot', { name: slot }, make('span', { part: 'unsupported' }, text), ...ways));
      return;
    }
    const activate = make('slot', { name: 'activate' }, make('button', { type: 'button', part: 'button' }, 'Install'));
    activate.addEventListener('click', (event) => {
      event.preventDefault();
      this.open();
    });
    root.append(activate);
  }

  disconnectedCallback(): void {
    this.#end();
  }

  open(): void {
    const root = this.#root;
    if (root === null || this.#dialog !== null || !this.hasAttribute('install-supported')) {
      return;
    }
    const dialog = new FlashDialog(root, { closing: () => this.close(), closed: () => this.#end() });
    this.#dialog = dialog;
    this.toggleAttribute('active', true);
    dialog.open({ title: 'Install', body: [make('p', {}, 'Loading…')], actions: [] });
    this.#report('loading', 'Loading…');
    void this.#start(dialog);
  }

  close(): void {
    if (this.#session === null || this.#session.mayClose()) {
      this.#end();
    }
  }

  async #start(dialog: FlashDialog): Promise<void> {
    try {
      const { FlashSession } = await import('./session/flash-session.ts');
      if (this.#dialog !== dialog) {
        return;
      }
      this.#session = new FlashSession({
        dialog,
        options: this,
        onState: (state, message) => this.#report(state, message),
        send: (name, detail) => this.#send(name, detail),
        close: () => this.#end(),
      });
      this.#session.start();
    } catch {
      if (this.#dialog === dialog) {
        const message = 'The flasher could not be loaded.';
        const remedy = 'Check the connection to the network, then try again.';
        this.#report('failure', message);
        this.#send('wirebench-failure', { code: 'not-loaded', message, remedy, boardState: 'unchanged' });
        dialog.show({
          title: message,
          body: [make('p', {}, remedy)],
          actions: [{ label: 'Try again', isPrimary: true, run: () => void this.#start(dialog) }],
        });
      }
    }
  }

  #end(): void {
    const dialog = this.#dialog;
    if (dialog === null) {
      return;
    }
    this.#dialog = null;
    this.#session?.end();
    this.#session = null;
    dialog.close();
    this.toggleAttribute('active', false);
    this.#report('idle', '');
  }

  #report(state: WirebenchFlashState, message: string): void {
    if (this.state !== state || state !== 'idle') {
      this.setAttribute('state', state);
      this.#send('wirebench-state', { state, message });
    }
  }

  #send<Name extends `wirebench-${string}` & keyof HTMLElementEventMap>(
    name: Name,
    detail: HTMLElementEventMap[Name] extends CustomEvent<infer Detail> ? Detail : never,
  ): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Applies properties that a framework set before this file was loaded. They hide the accessors. */
  #upgrade(): void {
    for (const name of ['manifest', 'release', 'demo', 'eraseFirst', 'baudRate'] as const) {
      const value = Object.getOwnPropertyDescriptor(this, name)?.value;
      if (value !== undefined && Reflect.deleteProperty(this, name)) {
        Reflect.set(this, name, value);
      }
    }
  }

  #set(name: string, value: string | null): void {
    if (value === null) {
      this.removeAttribute(name);
    } else {
      this.setAttribute(name, value);
    }
  }
}

// A page may include the file twice, for example once from each of two servers.
if (hasDocument && customElements.get('wirebench-flash') === undefined) {
  customElements.define('wirebench-flash', WirebenchFlash);
}
