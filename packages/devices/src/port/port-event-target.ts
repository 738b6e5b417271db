/**
 * `connect` and `disconnect` as Web Serial fires them: at the port, from where they bubble to the registry of ports.
 * The port remains their target (Web Serial draft, sections 3.3 and 4.1). Event targets outside a document have no
 * parents, so the bubbling is implemented here.
 */
export type PortEventHandler = ((event: Event) => void) | null;

/** An event target with the two handler attributes of `Serial` and `SerialPort`. */
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
  // `cancelBubble` is the only property that shows afterwards if `stopPropagation` was called.
  if (!event.cancelBubble) {
    const bubbled = new Event(type, { bubbles: true });
    Object.defineProperty(bubbled, 'target', { value: port });
    registry.dispatchEvent(bubbled);
  }
}
