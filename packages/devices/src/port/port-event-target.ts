/**
 * `connect` and `disconnect` as Web Serial fires them: at the port, from where they bubble to the registry of ports with
 * the port still their target (Web Serial draft, sections 3.3 and 4.1). Event targets outside of a document have no
 * parents of their own, so the way up is made here.
 */
export type PortEventHandler = ((event: Event) => void) | null;

/** An event target with the two handler attributes that both `Serial` and `SerialPort` have. */
export class PortEventTarget extends EventTarget {
  onconnect: PortEventHandler = null;
  ondisconnect: PortEventHandler = null;

  constructor() {
    super();
    this.addEventListener('connect', (event) => this.onconnect?.call(this, event));
    this.addEventListener('disconnect', (event) => this.ondisconnect?.call(this, event));
  }
}

/** Fires a bubbling event at `port`, then at `registry` unless a listener stopped it. */
export function fireAtPort(port: EventTarget, registry: EventTarget, type: 'connect' | 'disconnect'): void {
  const event = new Event(type, { bubbles: true });
  port.dispatchEvent(event);
  // `cancelBubble` is the one property that says afterwards whether `stopPropagation` was called.
  if (!event.cancelBubble) {
    const bubbled = new Event(type, { bubbles: true });
    Object.defineProperty(bubbled, 'target', { value: port });
    registry.dispatchEvent(bubbled);
  }
}
