import { describe, expect, it } from 'vitest';
import { crc32 } from '../digests/crc32.ts';
import { espChips } from './chips/index.ts';
import { factoryContent } from './firmware/factory.ts';
import { type EspDeviceOptions, type EspFlashPart, espChipNames } from './options.ts';
import { EspHost } from './testing/esp-host.ts';

const flashSize = 0x400000;

/** Returns the output of a chip within a second after a reset. */
async function bootLog(options: EspDeviceOptions, milliseconds = 1_000) {
  const host = new EspHost(options);
  host.open();
  const text = await host.restart(milliseconds);
  return { host, text };
}

/** Returns the factory's flash parts with one changed byte. */
function damaged(part: number, at: number, chip: 'esp32' | 'esp32s3' = 'esp32'): EspFlashPart[] {
  return factoryContent(espChips[chip], flashSize).map(({ offset, data }, index) => {
    const changed = data.slice();
    if (index === part) {
      changed[at] = (changed[at] ?? 0) ^ 0xff;
    }
    return { offset, data: changed };
  });
}

/** Returns an entry of otadata with a sequence number and its CRC-32, unless `check` replaces it. */
function otaEntry(sequence: number, check?: number): Uint8Array {
  const bytes = new Uint8Array(32).fill(0xff);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, sequence, true);
  view.setUint32(28, check ?? crc32(bytes.subarray(0, 4), 0xffffffff), true);
  return bytes;
}

describe('a start from flash', () => {
  it.each(espChipNames)('ends in the factory firmware of an %s', async (chip) => {
    const { host, text } = await bootLog({ chip });
    expect(text).toContain(`${chip} with its factory firmware.`);
    expect(host.device.state).toBe('running');
  });

  it('reads a partition table that was moved behind a larger bootloader', async () => {
    const content = factoryContent(espChips.esp32, flashSize).map((part) =>
      part.offset === 0x8000 ? { ...part, offset: 0xc000 } : part,
    );
    const { text } = await bootLog({ chip: 'esp32', flash: { content } });
    expect(text).toContain('esp32 with its factory firmware.');
  });

  it('prints the same text as a genuine ESP32', async () => {
    const { text } = await bootLog({ chip: 'esp32' });
    expect(text.split('\r\n').slice(0, 9)).toEqual([
      'ets Jul 29 2019 12:21:46',
      '',
      'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)',
      'configsip: 0, SPIWP:0xee',
      'clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00',
      'mode:DIO, clock div:2',
      'load:0x3fff0030,len:6656',
      'load:0x40080400,len:9216',
      'entry 0x40080400',
    ]);
  });

  it('has the older build of the ROM on an older ESP32', async () => {
    const { text } = await bootLog({ chip: 'esp32', revision: { major: 1, minor: 0 } });
    expect(text).toMatch(/^ets Jun {2}8 2016 00:22:57\r\n/);
  });

  it('finds no header in empty flash, and tries again and again', async () => {
    const { host, text } = await bootLog({ chip: 'esp32', flash: { content: 'empty' } }, 1_500);
    expect(text.match(/invalid header: 0xffffffff\r\n/g)?.length).toBeGreaterThan(16);
    expect(text).toContain('rst:0x10 (RTCWDT_RTC_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)');
    expect(host.device.state).toBe('boot-loop');
    await host.enterDownload();
    expect(host.device.state).toBe('download');
  });

  it('prints the bytes that it finds in place of a header', async () => {
    const content = [{ offset: 0, data: Uint8Array.of(0x78, 0x56, 0x34, 0x12) }];
    const { text } = await bootLog({ chip: 'esp32c3', flash: { content } });
    expect(text).toContain('invalid header: 0x12345678');
    expect(text).toContain('rst:0x7 (TG0WDT_SYS_RST)');
  });

  it('stops at a bootloader with a wrong checksum', async () => {
    const { host, text } = await bootLog({ chip: 'esp32', flash: { content: damaged(0, 100) } });
    expect(text).toMatch(/csum err:0x[0-9a-f]{2}!=0x[0-9a-f]{2}\r\nets_main\.c 384/);
    expect(host.device.state).toBe('boot-loop');
  });

  it('warns of a bootloader whose header was changed after hashing, and starts it', async () => {
    const { host, text } = await bootLog({ chip: 'esp32s3', flash: { content: damaged(0, 3, 'esp32s3') } });
    expect(text).toMatch(
      /SHA-256 comparison failed:\r\nCalculated: [0-9a-f]{64}\r\nExpected: [0-9a-f]{64}\r\nAttempting/,
    );
    expect(host.device.state).toBe('running');
  });

  it('misses a partition table', async () => {
    const content = factoryContent(espChips.esp32, flashSize).filter(({ offset }) => offset !== 0x8000);
    const { text } = await bootLog({ chip: 'esp32', flash: { content } });
    expect(text).toContain('flash_parts: partition 0 invalid magic number 0xffff');
  });

  it.each([
    ['an empty partition', (parts: EspFlashPart[]) => parts.slice(0, 2), 'image at 0x10000 has invalid magic byte'],
    ['a damaged application', () => damaged(2, 300), 'esp_image: Checksum failed.'],
    ['an application with another digest', () => damaged(2, 2), 'esp_image: Image hash failed'],
    [
      'an application for another chip',
      (parts: EspFlashPart[]) => [...parts.slice(0, 2), ...factoryContent(espChips.esp32c3, flashSize).slice(2)],
      'boot_comm: mismatch chip ID, expected 0, found 5',
    ],
  ])('refuses %s', async (_, change, complaint) => {
    const content = change(factoryContent(espChips.esp32, flashSize));
    const { host, text } = await bootLog({ chip: 'esp32', flash: { content } });
    expect(text).toContain(complaint);
    expect(text).toContain('No bootable app partitions in the partition table');
    expect(host.device.state).toBe('boot-loop');
  });

  it('takes the OTA partition that the newest intact entry of otadata names', async () => {
    const [bootloader, , app] = factoryContent(espChips.esp32, flashSize);
    const table = new Uint8Array(96);
    const entries = [
      [1, 0, 0xd000, 0x2000],
      [0, 0x10, 0x10000, 0x10000],
      [0, 0x11, 0x20000, 0x10000],
    ] as const;
    for (const [index, [type, subtype, offset, size]] of entries.entries()) {
      const view = new DataView(table.buffer, index * 32);
      view.setUint16(0, 0x50aa, true);
      view.setUint8(2, type);
      view.setUint8(3, subtype);
      view.setUint32(4, offset, true);
      view.setUint32(8, size, true);
    }
    const content = [
      { offset: bootloader?.offset ?? 0, data: bootloader?.data ?? new Uint8Array() },
      { offset: 0x8000, data: table },
      { offset: 0xd000, data: otaEntry(2) },
      { offset: 0xe000, data: otaEntry(3, 0) },
      { offset: 0x20000, data: app?.data ?? new Uint8Array() },
    ];
    const { text } = await bootLog({ chip: 'esp32', flash: { content } });
    expect(text).toContain('Loaded app from partition at offset 0x20000');
  });

  it('is printed at 74880 baud by an ESP8266, and its application talks at its own rate', async () => {
    const host = new EspHost({ chip: 'esp8266', appBaudRate: 9_600 });
    expect(host.device.link).toMatchObject({ baudRate: 74_880 });
    host.open();
    expect(await host.restart(30)).toMatch(/^\r\n ets Jan {2}8 2013,rst cause:2, boot mode:\(3,6\)\r\n\r\n/);
    expect(host.device.link).toMatchObject({ baudRate: 74_880 });
    await host.clock.advance(1_000);
    expect(host.device.link).toMatchObject({ baudRate: 9_600 });
  });

  it('prints the lines of ESP-IDF for an application without a simulated text', async () => {
    const parts = factoryContent(espChips.esp32, flashSize);
    const [bootloader, table, app] = parts;
    const plain = app?.data.slice() ?? new Uint8Array();
    // The change removes the mark and would invalidate checksum and digest, so both are adapted.
    const mark = new TextEncoder().encode('wirebench-boot-text');
    const at = plain.findIndex((_, index) => mark.every((byte, offset) => plain[index + offset] === byte));
    plain[at] = (plain[at] ?? 0) ^ 1;
    plain[at + 1] = (plain[at + 1] ?? 0) ^ 1;
    plain[23] = 0;
    const content = [bootloader, table].flatMap((part) => part ?? []);
    const { text } = await bootLog({
      chip: 'esp32',
      flash: { content: [...content, { offset: 0x10000, data: plain }] },
    });
    expect(text).toContain('app_init: Project name:     esp32-factory');
    expect(text).toContain('main_task: Started on CPU0');
  });
});

describe('secured chips', () => {
  it('start contents that the factory encrypted, and none that were written in the clear', async () => {
    const security = { flashEncryption: 'release' } as const;
    const { host } = await bootLog({ chip: 'esp32', security });
    expect(host.device.state).toBe('running');
    expect(host.device.flash.read(0x1000, 1)[0]).not.toBe(0xe9);
    const plain = factoryContent(espChips.esp32, flashSize)[0]?.data ?? new Uint8Array();
    await host.enterDownload();
    await host.sync();
    await host.startStub(0x40090000);
    await host.ask(0xd1, Uint8Array.from([0, 0x10, 0, 0, 0, 0x40, 0, 0]));
    const begin = new Uint8Array(16);
    new DataView(begin.buffer).setUint32(0, plain.length, true);
    new DataView(begin.buffer).setUint32(12, 0x1000, true);
    await host.ask(0x02, begin);
    await host.sendBlock(0x03, 0, plain.subarray(0, 0x4000));
    expect(await host.restart(100)).toMatch(/invalid header: 0x(?!ffffffff)[0-9a-f]{8}/);
  });

  it('do not start an unsigned bootloader with secure boot', async () => {
    const { host, text } = await bootLog({ chip: 'esp32c3', security: { secureBoot: true } });
    expect(text).toContain('secure boot verification failed');
    expect(host.device.state).toBe('boot-loop');
  });

  it('start a bootloader with a signature block behind it', async () => {
    const parts = factoryContent(espChips.esp32c3, flashSize);
    const end = Math.ceil((parts[0]?.data.length ?? 0) / 0x1000) * 0x1000;
    const content = [...parts, { offset: end, data: Uint8Array.of(0xe7, 0x02) }];
    const { host } = await bootLog({ chip: 'esp32c3', security: { secureBoot: true }, flash: { content } });
    expect(host.device.state).toBe('running');
  });
});
