/** The encoding of bytes on the wire between a device and its host, and the time that a byte takes. */

/** The settings on which both ends of a UART have to agree. */
export interface UartSettings {
  /** Symbols a second. */
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: ParityType;
}

/** A device behind a USB-to-UART bridge. Rate and frame are physical, and the two ends may differ. */
export interface UartLink extends UartSettings {
  readonly kind: 'uart';
}

/** A device with its own USB. The host's baud rate has no effect, and bytes always arrive intact. */
interface UsbLink {
  readonly kind: 'usb';
  /** Throughput of the bus in bytes per second. */
  readonly bytesPerSecond: number;
}

export type Link = UartLink | UsbLink;

/** Creates a UART link. Default frame: 8 data bits, no parity, one stop bit. */
export function uartLink(baudRate: number, frame: Partial<Omit<UartSettings, 'baudRate'>> = {}): UartLink {
  return { kind: 'uart', baudRate, dataBits: 8, stopBits: 1, parity: 'none', ...frame };
}

/** Returns the milliseconds that one byte occupies the wire: start, data, parity and stop bits at the baud rate. */
export function byteTime(link: Link): number {
  if (link.kind === 'usb') {
    return 1_000 / link.bytesPerSecond;
  }
  return ((1 + link.dataBits + (link.parity === 'none' ? 0 : 1) + link.stopBits) * 1_000) / link.baudRate;
}

/** Returns the parity bit of the lowest `dataBits` bits of `byte`. */
export function parityBit(byte: number, { dataBits, parity }: Pick<UartSettings, 'dataBits' | 'parity'>): 0 | 1 {
  let ones = parity === 'odd' ? 1 : 0;
  for (let bit = 0; bit < dataBits; bit++) {
    ones ^= (byte >> bit) & 1;
  }
  return ones === 0 ? 0 : 1;
}
