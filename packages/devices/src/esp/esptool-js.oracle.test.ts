/**
 * Espressif's esptool-js, an independent client, has to accept the simulated chips as real ones. It identifies,
 * flashes and verifies each of them through a W3C SerialPort. Its waits run on faked timers.
 */
import { createHash } from 'node:crypto';
import { systemClock } from '@wirebench/clock';
import { ESPLoader, Transport } from 'esptool-js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { espChips } from './chips/index.ts';
import { EspDevice } from './esp-device.ts';
import { createEspPort, type EspPort } from './esp-port.ts';
import { factoryContent } from './firmware/factory.ts';
import type { EspDeviceOptions } from './options.ts';

const silent = { clean: () => undefined, write: () => undefined, writeLine: () => undefined };
const flashing = { flashMode: 'keep', flashFreq: 'keep', flashSize: 'keep', eraseAll: false } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Advances faked time until `work` has settled. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let ended = false;
  const settled = work.finally(() => {
    ended = true;
  });
  settled.catch(() => undefined);
  while (!ended) {
    await vi.advanceTimersByTimeAsync(5);
  }
  return settled;
}

function plugged(options: EspDeviceOptions): EspPort {
  return createEspPort(new EspDevice(options), { clock: systemClock, pace: 'none' });
}

function loaderFor({ port }: EspPort, baudrate = 921_600) {
  if (port === null) {
    throw new Error('nothing is plugged in');
  }
  return new ESPLoader({ transport: new Transport(port), baudrate, terminal: silent });
}

function md5(data: Uint8Array): string {
  return createHash('md5').update(data).digest('hex');
}

const image = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7 + (index >> 9)) & 0xff);

const chips = [
  ['esp8266', 'ESP8266EX'],
  ['esp32', 'ESP32-D0WD-V3 (revision 3)'],
  ['esp32s2', 'ESP32-S2 (revision v1.0)'],
  ['esp32s3', 'ESP32-S3 (QFN56) (revision v0.2)'],
  ['esp32c2', 'ESP32-C2 (revision 1)'],
  ['esp32c3', 'ESP32-C3 (QFN32) (revision v0.3)'],
  ['esp32c5', 'ESP32-C5 (revision v1.0)'],
  ['esp32c6', 'ESP32-C6 (revision 1)'],
  ['esp32c61', 'ESP32-C61 (revision v1.0)'],
  ['esp32h2', 'ESP32-H2 (revision v1.2)'],
  ['esp32h4', 'ESP32-H4 (QFN40) (revision v1.0)'],
  ['esp32p4', 'ESP32-P4 (revision v1.0)'],
] as const;

describe('esptool-js', () => {
  it.each(chips)('identifies, flashes and verifies an %s', async (chip, description) => {
    const demo = plugged({ chip, mac: '24:0A:C4:12:34:56', flash: { size: 0x400000 } });
    const loader = loaderFor(demo);
    expect(await inTime(loader.main())).toBe(description);
    expect(loader.IS_STUB).toBe(true);
    expect(loader.chip.BOOTLOADER_FLASH_OFFSET).toBe(espChips[chip].bootloaderOffset);
    expect(String(await inTime(loader.chip.readMac(loader))).toUpperCase()).toBe('24:0A:C4:12:34:56');
    // For the ESP8266, esptool-js 0.7.0 writes the length of a read into the wrong register.
    expect(await inTime(loader.detectFlashSize())).toBe(chip === 'esp8266' ? undefined : '4MB');
    const fileArray = [{ data: image, address: 0x20000 }];
    await inTime(loader.writeFlash({ ...flashing, fileArray, compress: true, calculateMD5Hash: md5 }));
    expect(Buffer.from(demo.device.flash.read(0x20000, image.length)).equals(image)).toBe(true);
    expect(await inTime(loader.flashMd5sum(0x20000, image.length))).toBe(md5(image));
  });

  it('identifies and flashes an ESP32-H21, for which it has no stub', async () => {
    const demo = plugged({ chip: 'esp32h21', mac: '24:0A:C4:12:34:56', flash: { size: 0x400000 } });
    const loader = loaderFor(demo);
    // esptool-js reads the revision at a place that ESP-IDF's eFuse table leaves empty.
    expect(await inTime(loader.main())).toBe('ESP32-H21 (revision v0.0)');
    expect(loader.IS_STUB).toBe(false);
    expect(loader.chip.BOOTLOADER_FLASH_OFFSET).toBe(espChips.esp32h21.bootloaderOffset);
    expect(String(await inTime(loader.chip.readMac(loader))).toUpperCase()).toBe('24:0A:C4:12:34:56');
    // Without a stub, esptool attaches the flash and sends smaller blocks (`esptool/loader.py`). esptool-js does
    // neither, and takes the ROM's MD5, which is text, for bytes.
    await inTime(loader.flashSpiAttach(0));
    loader.FLASH_WRITE_SIZE = 0x400;
    expect(await inTime(loader.detectFlashSize())).toBe('4MB');
    const fileArray = [{ data: image, address: 0x20000 }];
    await inTime(loader.writeFlash({ ...flashing, fileArray, compress: false }));
    expect(Buffer.from(demo.device.flash.read(0x20000, image.length)).equals(image)).toBe(true);
  });

  it('resets an ESP32-C3 on its own USB, and leaves it running what was written', async () => {
    const demo = plugged({ chip: 'esp32c3', connection: 'usb-jtag', flash: { content: 'empty' } });
    const loader = loaderFor(demo);
    await inTime(loader.main());
    const parts = factoryContent(espChips.esp32c3, 0x400000);
    const fileArray = parts.map(({ offset, data }) => ({ data, address: offset }));
    await inTime(loader.writeFlash({ ...flashing, fileArray, compress: true, calculateMD5Hash: md5 }));
    await inTime(loader.transport.setRTS(true));
    await inTime(loader.transport.setRTS(false));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(demo.device.state).toBe('running');
  });

  it('reads back and erases an ESP32 whose flash takes its time, at 2 Mbaud', async () => {
    const options = { chip: 'esp32', profile: 'real-flash', flash: { size: 0x100000 } } as const;
    const demo = createEspPort(new EspDevice(options), { clock: systemClock, pace: 'wire' });
    const loader = loaderFor(demo, 2_000_000);
    await inTime(loader.main());
    const fileArray = [{ data: image, address: 0x20000 }];
    await inTime(loader.writeFlash({ ...flashing, fileArray, compress: false, calculateMD5Hash: md5 }));
    const copy = await inTime(loader.readFlash(0x20000, image.length));
    expect(Buffer.from(copy).equals(image)).toBe(true);
    await inTime(loader.eraseFlash());
    expect(demo.device.flash.read(0, 0x100000).every((byte) => byte === 0xff)).toBe(true);
  });

  it.each([
    ['esp32s2', 'ESP32-S2'],
    ['esp32s3', 'ESP32-S3'],
    ['esp32c6', 'ESP32-C6'],
  ] as const)('notices Secure Download Mode of an %s', async (chip, name) => {
    const loader = loaderFor(plugged({ chip, security: { secureDownload: true } }));
    expect(await inTime(loader.main())).toBe(name);
    expect(loader.secureDownloadMode).toBe(true);
    expect(loader.IS_STUB).toBe(false);
  });

  it('reads from an ESP32-S3 that its flash is encrypted and its boot secured', async () => {
    const security = { flashEncryption: 'development', secureBoot: true } as const;
    const loader = loaderFor(plugged({ chip: 'esp32s3', security }));
    await inTime(loader.main());
    const info = await inTime(loader.getSecurityInfo());
    expect(info).toMatchObject({ flashCryptCnt: 1, chipId: 9, parsedFlags: { SECURE_BOOT_EN: true } });
    expect(info.keyPurposes.slice(0, 2)).toEqual([4, 9]);
  });

  it('finds an ESP8285 with its flash inside', async () => {
    const loader = loaderFor(plugged({ chip: 'esp8285' }));
    expect(await inTime(loader.main())).toBe('ESP8285');
  });

  it('gives up on a board that stays in normal boot', async () => {
    const loader = loaderFor(plugged({ chip: 'esp32', connection: 'uart-no-reset' }));
    await expect(inTime(loader.main())).rejects.toThrow('Failed to connect');
  });
});
