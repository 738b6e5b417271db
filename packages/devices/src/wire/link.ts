/** How bytes become symbols on the wire between a device and its host, and how long one takes. */

/** What both ends of a UART have to agree on. */
export interface UartSettings {
  /** Symbols a second. */
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: ParityType;
}

/** A device behind a USB-to-UART bridge: rate and frame are physical, and both ends can be set differently. */
export interface UartLink extends UartSettings {
  readonly kind: 'uart';
}

/** A device that is on USB itself: the host's baud rate means nothing, bytes always arrive intact. */
interface UsbLink {
  readonly kind: 'usb';
  /** What the bus carries, in bytes a second. */
  readonly bytesPerSecond: number;
}

export type Link = UartLink | UsbLink;

/** A UART link with 8 data bits, no parity and one stop bit unless said otherwise. */
export function uartLink(baudRate: number, frame: Partial<Omit<UartSettings, 'baudRate'>> = {}): UartLink {
  return { kind: 'uart', baudRate, dataBits: 8, stopBits: 1, parity: 'none', ...frame };
}

/** Milliseconds that one byte occupies the wire: start bit, data bits, parity bit and stop bits at the baud rate. */
export function byteTime(link: Link): number {
  if (link.kind === 'usb') {
    return 1_000 / link.bytesPerSecond;
  }
  return ((1 + link.dataBits + (link.parity === 'none' ? 0 : 1) + link.stopBits) * 1_000) / link.baudRate;
}

/** The parity bit that goes with `byte`, of which the lowest `dataBits` bits count. */
export function parityBit(byte: number, { dataBits, parity }: Pick<UartSettings, 'dataBits' | 'parity'>): 0 | 1 {
  let ones = parity === 'odd' ? 1 : 0;
  for (let bit = 0; bit < dataBits; bit++) {
    ones ^= (byte >> bit) & 1;
  }
  return ones === 0 ? 0 : 1;
}
