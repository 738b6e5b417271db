/** Names of ports that survive replugging, which a system gives and a browser does not. */

export interface NamedPort {
  /** A path such as `/dev/serial/by-path/…-port0`: the same hole, or the path that a person gave. */
  readonly portName: string;
}

/** Returns the name of a port; null for a port of a browser. */
export function portNameOf(device: SerialPort): string | null {
  return 'portName' in device ? (device as SerialPort & NamedPort).portName : null;
}
