/** A program instead of the bootloader: the ROM loads it from flash, and the interpreter runs it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { joined } from '../byte-fields.ts';
import { riscvWords } from '../cpu/testing/processors.ts';
import { espChips } from './chips/index.ts';
import { espImage } from './firmware/image.ts';
import type { EspDeviceOptions } from './options.ts';
import { EspHost, words } from './testing/esp-host.ts';

type Chip = 'esp32' | 'esp32c3';

const chips = [{ chip: 'esp32' }, { chip: 'esp32c3' }] as const;
const mebibyte = 0x100000;
/** An echo program that does not handle watchdogs, and a program that faults (`cpu/ram-program.test.ts`). */
const echo = {
  esp32: Uint8Array.from(Buffer.from('060100000000f43f21ffff38723030741673ff4802490206fcff0000', 'hex')),
  esp32c3: Uint8Array.from(
    riscvWords(0x60000537, 0x01c52583, 0x3ff5f593, 0xfe058ce3, 0x00052603, 0x00c52023, 0xfedff06f),
  ),
};
const codeAddress = { esp32: 0x40090000, esp32c3: 0x40390000 } as const;
const firstWatchdog = { esp32: 'rst:0x10 (RTCWDT_RTC_RESET)', esp32c3: 'rst:0x7 (TG0WDT_SYS_RST)' } as const;

/** The product's own probe program. */
function probeImage(chip: Chip): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../../../firmware/probe/images/${chip}.bin`, import.meta.url)));
}

/** An image with an application description, as the ROM finds it in flash. */
function imageOf(chip: Chip, code: Uint8Array<ArrayBuffer>, address: number = codeAddress[chip]): Uint8Array {
  const about = joined(words(0xabcd5432), new Uint8Array(252)) as Uint8Array<ArrayBuffer>;
  const scratch = chip === 'esp32' ? 0x3ffc0000 : 0x3fcac000;
  const image = espImage(espChips[chip], 4 * mebibyte, [
    { address: scratch, data: about },
    { address, data: code },
  ]);
  return withEntry(image, codeAddress[chip]);
}

/** The checksum does not cover the header, and the digest is left out. */
function withEntry(image: Uint8Array, entry: number): Uint8Array {
  const changed = image.slice();
  changed.set(words(entry), 4);
  changed[23] = 0;
  return changed;
}

async function started(chip: Chip, image: Uint8Array, options: Partial<EspDeviceOptions> = {}, milliseconds = 300) {
  const content = [{ offset: espChips[chip].bootloaderOffset, data: image }];
  const host = new EspHost({ chip, flash: { content }, ...options });
  host.open();
  const text = await host.restart(milliseconds);
  return { host, text };
}

/** Seconds of a processor are interpreted instruction by instruction. */
const timeout = 90_000;

describe.each(chips)('an $chip with a program in the place of its bootloader', { timeout }, ({ chip }) => {
  it('says what its ROM says, then the program greets and answers', async () => {
    const { host, text } = await started(chip, probeImage(chip));
    expect(text).toContain('SPI_FAST_FLASH_BOOT');
    expect(text).toMatch(/load:0x[0-9a-f]{8},len:(256|0x100)\r\n/);
    expect(text).not.toContain('2nd stage bootloader');
    const entry = text.indexOf('entry 0x');
    // HELLO: 44 bytes of data and status.
    expect(text.indexOf('\u0001\ufffd,\0', entry)).toBeGreaterThan(entry);
    expect(host.device.state).toBe('running');
    const [capabilities = ''] = await host.ask(0xe0, new Uint8Array(), 0xef);
    expect(capabilities.slice(0, 24)).toBe(`01e02c0000000000${chip === 'esp32' ? '0100f81f' : '0105f81f'}`);
    // The program has no flash commands, and the ROM's loader does not run.
    expect(await host.ask(0x02, words(0x1000, 1, 0x1000, 0))).toEqual(['010204000000000001050000']);
  });

  it('is reset by no watchdog while the program runs', async () => {
    const { host } = await started(chip, probeImage(chip));
    host.terminal.take();
    // The last watchdog would fire after one second.
    await host.clock.advance(1_500);
    expect(new TextDecoder().decode(host.terminal.take())).toBe('');
    expect(await host.ask(0xe0, new Uint8Array(), 0xef)).toHaveLength(1);
  });

  it('is reset again and again by the watchdogs of its ROM when the program leaves them on', async () => {
    const { host, text } = await started(chip, imageOf(chip, echo[chip]), {}, 2_000);
    expect(text.split(firstWatchdog[chip]).length).toBeGreaterThan(3);
    await host.enterDownload();
    await host.clock.advance(2_000);
    // In download mode no watchdog fires.
    expect(host.device.state).toBe('download');
    expect(await host.sync()).toHaveLength(8);
  });

  it('hangs over a program that cannot go on, until the watchdog ends that', async () => {
    const broken = Uint8Array.from(new Uint8Array(8));
    const { host } = await started(chip, imageOf(chip, broken), {}, 200);
    expect(host.device.state).toBe('crashed');
    expect(host.device.programFault).not.toBeNull();
    await host.clock.advance(500);
    expect(new TextDecoder().decode(host.terminal.take())).toContain(firstWatchdog[chip]);
  });

  it('does the same where the entry leads to nothing that was loaded', async () => {
    const image = withEntry(imageOf(chip, echo[chip]), codeAddress[chip] + 0x1000);
    const { host } = await started(chip, image, {}, 200);
    expect(host.device.state).toBe('crashed');
    await host.clock.advance(500);
    expect(new TextDecoder().decode(host.terminal.take())).toContain(firstWatchdog[chip]);
  });

  it('refuses an image with a wrong checksum, and one for the other chip', async () => {
    const image = probeImage(chip);
    image[700] = (image[700] ?? 0) ^ 1;
    expect((await started(chip, image)).text).toMatch(/csum err:0x/);
    const other = probeImage(chip === 'esp32' ? 'esp32c3' : 'esp32');
    const { host, text } = await started(chip, other);
    expect(text).toContain("Invalid image block, can't boot.");
    expect(host.device.state).toBe('boot-loop');
  });

  it('does not look whether the digest fits, or warns and starts all the same', async () => {
    const image = probeImage(chip);
    image[image.length - 1] = (image.at(-1) ?? 0) ^ 1;
    const { host, text } = await started(chip, image);
    expect(text.includes('SHA-256 comparison failed')).toBe(chip === 'esp32c3');
    expect(host.device.state).toBe('running');
    expect(await host.ask(0xe0, new Uint8Array(), 0xef)).toHaveLength(1);
  });

  it('starts the program again after a reset by its own register, and is in its ROM when IO0 is low', async () => {
    const { host } = await started(chip, probeImage(chip));
    const reset = chip === 'esp32' ? 0x3ff48000 : 0x60008000;
    await host.ask(0x09, words(reset, 0x80000000, 0x80000000, 0), 0, 200);
    expect(host.device.state).toBe('running');
    expect(await host.ask(0xe0, new Uint8Array(), 0xef)).toHaveLength(1);
    await host.enterDownload();
    expect(host.device.state).toBe('download');
  });

  it('reads the straps of a start from flash, and its own pins', async () => {
    const { host } = await started(chip, probeImage(chip));
    const { straps } = espChips[chip];
    const [answer = ''] = await host.ask(0x0a, words(straps.address));
    expect(Buffer.from(answer, 'hex').readUInt32LE(4)).toBe(straps.flash);
  });
});

describe('a program in flash', { timeout }, () => {
  it('talks over USB Serial/JTAG where the chip is plugged in by it', async () => {
    const { host } = await started('esp32c3', probeImage('esp32c3'), { connection: 'usb-jtag' });
    // The bytes of a request show the program that a host is connected.
    const frames = await host.ask(0xe0, new Uint8Array(), 0xef);
    expect(frames.at(-1)?.slice(0, 4)).toBe('01e0');
    await host.clock.advance(1_500);
    expect(host.device.state).toBe('running');
  });

  it('is not run where flash is encrypted and it is not', async () => {
    const host = new EspHost({ chip: 'esp32', security: { flashEncryption: 'release' }, flash: { content: 'empty' } });
    host.open();
    expect(await host.restart(200)).toContain('invalid header');
  });
});
