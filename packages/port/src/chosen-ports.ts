/** Finds a board again that vanished and came back as another port, as boards with their own USB do. */

/** The part of `navigator.serial` that is used. The simulated one has it, too. */
export type SerialPorts = Pick<Serial, 'getPorts' | 'addEventListener' | 'removeEventListener'>;

const isPlugged = ({ connected }: SerialPort) => connected !== false;

/** Two ports of one vendor may be the program and the bootloader of one board. */
const isLike = (one: SerialPortInfo, other: SerialPortInfo) =>
  one.usbVendorId !== undefined && one.usbVendorId === other.usbVendorId;

/**
 * Resolves with the port as which a board comes back.
 *
 * @param before Port of the board before it vanished. Browsers report its loss later than its streams do.
 * @param others Ports that were plugged in when the board was chosen. None of them is the board that comes back.
 * @param isNamed Returns true for a port that is the board by its name, whatever its ids. Missing: the ids decide.
 * @throws The reason of `signal`.
 */
export function returnedPort(
  serial: SerialPorts,
  before: SerialPort,
  others: readonly SerialPort[],
  signal: AbortSignal,
  isNamed: (port: SerialPort) => boolean = () => false,
): Promise<SerialPort> {
  return new Promise((resolve, reject) => {
    const info = before.getInfo();
    const end = () => {
      serial.removeEventListener('connect', look);
      signal.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      end();
      reject(signal.reason);
    };
    const look = () => {
      serial.getPorts().then((ports) => {
        const port = ports.findLast(
          (one) =>
            one !== before && !others.includes(one) && isPlugged(one) && (isLike(info, one.getInfo()) || isNamed(one)),
        );
        if (port !== undefined && !signal.aborted) {
          end();
          resolve(port);
        }
      }, reject);
    };
    signal.addEventListener('abort', onAbort);
    serial.addEventListener('connect', look);
    if (signal.aborted) {
      onAbort();
    } else {
      look();
    }
  });
}

/**
 * Returns the port of a board that was unplugged and plugged in again, if the page may use it without asking; null
 * otherwise.
 */
export async function pluggedAgain(serial: SerialPorts, before: SerialPort): Promise<SerialPort | null> {
  const ports = await serial.getPorts();
  if (ports.includes(before) && isPlugged(before)) {
    return before;
  }
  const info = before.getInfo();
  const alike = ports.filter((port) => {
    const { usbVendorId, usbProductId } = port.getInfo();
    return isPlugged(port) && usbVendorId === info.usbVendorId && usbProductId === info.usbProductId;
  });
  return alike.length === 1 ? (alike[0] ?? null) : null;
}
