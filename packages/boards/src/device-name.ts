/** Names for boards of which the browser reports only USB ids. */
/** USB serial bridges and boards, from the USB ID Repository (linux-usb.org/usb.ids). */
const names: ReadonlyMap<string, string> = new Map([
  ['0403:6001', 'FT232R'],
  ['0403:6010', 'FT2232'],
  ['0403:6011', 'FT4232'],
  ['0403:6014', 'FT232H'],
  ['0403:6015', 'FT231X'],
  ['0483:374B', 'ST-LINK'],
  ['067B:2303', 'PL2303'],
  ['10C4:EA60', 'CP210x'],
  ['10C4:EA70', 'CP2105'],
  ['10C4:EA71', 'CP2108'],
  ['1A86:5523', 'CH341'],
  ['1A86:7522', 'CH340'],
  ['1A86:7523', 'CH340'],
  ['1A86:55D3', 'CH343'],
  ['1A86:55D4', 'CH9102'],
  ['2E8A:0005', 'Pico'],
  ['2E8A:000A', 'Pico'],
  ['303A:1001', 'ESP USB JTAG'],
  // Vendors whose products are too many to name.
  ['0403', 'FTDI'],
  ['0483', 'STM32'],
  ['1366', 'J-Link'],
  ['1915', 'Nordic'],
  ['2341', 'Arduino'],
  ['239A', 'Adafruit'],
  ['2E8A', 'Raspberry Pi'],
  ['303A', 'Espressif'],
]);

const hexDigits = (id: number) => id.toString(16).toUpperCase().padStart(4, '0');

/** `CP210x`, `Arduino`, or the ids as `10C4:EA60`; `Serial port` for one that is not on USB. */
export function deviceName({ usbVendorId, usbProductId, bluetoothServiceClassId }: SerialPortInfo): string {
  if (usbVendorId === undefined) {
    return bluetoothServiceClassId === undefined ? 'Serial port' : 'Bluetooth port';
  }
  const vendor = hexDigits(usbVendorId);
  const ids = `${vendor}:${hexDigits(usbProductId ?? 0)}`;
  return names.get(ids) ?? names.get(vendor) ?? ids;
}
