/**
 * USB ids of boards whose chip has its own USB. A sketch and the bootloader have different ids. Sources: `boards.txt` of
 * the Arduino AVR core, of Adafruit AVR Boards and of SparkFun AVR Boards.
 */

const ARDUINO = 0x2341;
const ARDUINO_ORG = 0x2a03;
const ADAFRUIT = 0x239a;
const SPARKFUN = 0x1b4f;

/** Bit that distinguishes the product ID of a sketch from its bootloader's (Arduino and Adafruit). */
const SKETCH_BIT = 0x8000;

/** Product IDs of bootloaders: Leonardo, Micro, Robot, Esplora, Leonardo ETH, Yún, Yún Mini, Industrial 101. */
const arduinoLoaders: readonly number[] = [
  0x0036, 0x0037, 0x0237, 0x0038, 0x0039, 0x003c, 0x0040, 0x0041, 0x0050, 0x0056,
];
/** Flora, Bluefruit Micro, Feather 32u4, ItsyBitsy 32u4 of 3 V and 5 V, Circuit Playground Classic. */
const adafruitLoaders: readonly number[] = [0x0004, 0x000a, 0x000c, 0x000d, 0x000e, 0x0011];
/** Pro Micro of 3.3 V and 5 V, LilyPad USB. The sketch has the next number. */
const sparkfunLoaders: readonly number[] = [0x9203, 0x9205, 0x9207];

/** Arduino Mega 2560 and Mega ADK-like boards, whose USB bridge is another chip. */
const megas: readonly number[] = [0x0010, 0x0042, 0x0210, 0x0242, 0x003f, 0x0044];

/** Returns which program of a board with its own USB has this port; null for any other port. */
export function ownUsbOf(device: SerialPort): 'sketch' | 'bootloader' | null {
  const { usbVendorId: vendor, usbProductId: product = 0 } = device.getInfo();
  const loaders =
    vendor === ARDUINO || vendor === ARDUINO_ORG ? arduinoLoaders : vendor === ADAFRUIT ? adafruitLoaders : [];
  if (vendor === SPARKFUN) {
    return sparkfunLoaders.includes(product) ? 'bootloader' : sparkfunLoaders.includes(product - 1) ? 'sketch' : null;
  }
  if (loaders.includes(product)) {
    return 'bootloader';
  }
  return (product & SKETCH_BIT) !== 0 && loaders.includes(product & ~SKETCH_BIT) ? 'sketch' : null;
}

/** Returns true if the USB bridge is that of an Arduino Mega, whose bootloader speaks STK500 v2. */
export function isMega(device: SerialPort): boolean {
  const { usbVendorId: vendor, usbProductId: product = 0 } = device.getInfo();
  return (vendor === ARDUINO || vendor === ARDUINO_ORG) && megas.includes(product);
}
