/**
 * Names for boards of which the browser reports only USB ids. Sources: the USB ID Repository (linux-usb.org, `usb.ids`, as
 * of 2026-07-03), which `npm run lists -- usb-adapters` compares with a newer one; for Raspberry Pi and Espressif, which
 * it does not have, `raspberrypi/usb-pid` and `espressif/usb-pids` (read 2026-11-29); WCH's Linux driver for CH343 and
 * CH9102.
 */
const names: ReadonlyMap<string, string> = new Map([
  ['0403:6001', 'FT232R'],
  ['0403:6010', 'FT2232'],
  ['0403:6011', 'FT4232'],
  ['0403:6014', 'FT232H'],
  ['0403:6015', 'FT231X'],
  ['0483:3744', 'ST-LINK'],
  ['0483:3748', 'ST-LINK'],
  ['0483:374B', 'ST-LINK'],
  ['0483:374D', 'ST-LINK'],
  ['0483:374E', 'ST-LINK'],
  ['0483:374F', 'ST-LINK'],
  ['0483:3752', 'ST-LINK'],
  ['0483:3753', 'ST-LINK'],
  ['04D8:00DD', 'MCP2221'],
  ['04E2:1410', 'XR21V1410'],
  ['04E2:1411', 'XR21B1411'],
  ['04E2:1412', 'XR21V1412'],
  ['04E2:1414', 'XR21V1414'],
  ['04E2:1420', 'XR21B1420'],
  ['04E2:1422', 'XR21B1422'],
  ['04E2:1424', 'XR21B1424'],
  ['067B:2303', 'PL2303'],
  ['067B:23A3', 'PL2303'],
  ['10C4:EA60', 'CP210x'],
  ['10C4:EA61', 'CP210x'],
  ['10C4:EA63', 'CP210x'],
  ['10C4:EA70', 'CP2105'],
  ['10C4:EA71', 'CP2108'],
  ['1A86:5523', 'CH341'],
  ['1A86:7522', 'CH340'],
  ['1A86:7523', 'CH340'],
  ['1A86:55D3', 'CH343'],
  ['1A86:55D4', 'CH9102'],
  ['2E8A:0004', 'Picoprobe'],
  ['2E8A:0005', 'Pico'],
  ['2E8A:0009', 'Pico'],
  ['2E8A:000A', 'Pico'],
  ['2E8A:000B', 'Pico'],
  ['2E8A:000C', 'Debug Probe'],
  ['303A:1001', 'ESP USB JTAG'],
  // Vendors whose products are too many to name.
  ['03EB', 'Atmel'],
  ['0403', 'FTDI'],
  ['0451', 'Texas Instruments'],
  ['0483', 'STM32'],
  ['04B4', 'Cypress'],
  ['04D8', 'Microchip'],
  ['04E2', 'Exar'],
  ['0557', 'ATEN'],
  ['067B', 'Prolific'],
  ['0D28', 'Arm'],
  ['10C4', 'Silicon Labs'],
  ['1366', 'J-Link'],
  ['1546', 'u-blox'],
  ['15BA', 'Olimex'],
  ['1915', 'Nordic'],
  ['1A86', 'WCH'],
  ['1B4F', 'SparkFun'],
  ['1FC9', 'NXP'],
  ['1FFB', 'Pololu'],
  ['2341', 'Arduino'],
  ['239A', 'Adafruit'],
  ['2886', 'Seeed'],
  ['28E9', 'GigaDevice'],
  ['2A03', 'Arduino'],
  ['2C7C', 'Quectel'],
  ['2E8A', 'Raspberry Pi'],
  ['2FE3', 'Zephyr'],
  ['303A', 'Espressif'],
  ['4348', 'WCH'],
  ['9710', 'MosChip'],
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
