import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type EspChipName, type EspFlashPart, espChipNames } from '../options.ts';
import { EspHost } from '../testing/esp-host.ts';
import { espFirmwareSet } from './firmware-set.ts';

const setFor = (chip: EspChipName) =>
  espFirmwareSet({ chip, project: 'demo', version: '2.0.0', text: `Hello from the ${chip}.\r\n` });

const flashed = (chip: EspChipName): EspFlashPart[] =>
  setFor(chip).flatMap(({ offset, data }) => (offset === null ? [] : [{ offset, data }]));

/** Returns the output of a chip with this flash content, within two seconds after a reset. */
async function bootLog(chip: EspChipName, content: readonly EspFlashPart[]) {
  const host = new EspHost({ chip, flash: { content } });
  host.open();
  return { host, text: await host.restart(2_000) };
}

const partitioned = espChipNames.filter((chip) => !chip.startsWith('esp82'));

describe('a set of demo firmware', () => {
  it.each(espChipNames)('brings an empty %s back', async (chip) => {
    const { host, text } = await bootLog(chip, flashed(chip));
    expect(text).toContain(`Hello from the ${chip}.`);
    expect(host.device.state).toBe('running');
  });

  it.each(partitioned)('lets an %s say which program runs, as ESP-IDF prints it', async (chip) => {
    const { text } = await bootLog(chip, flashed(chip));
    expect(text).toMatch(/I \(\d+\) app_init: Project name: {5}demo\r\n/);
    expect(text).toMatch(/I \(\d+\) app_init: App version: {6}2\.0\.0\r\n/);
    const elf = setFor(chip).find(({ name }) => name.endsWith('.elf'));
    const hash = createHash('sha256')
      .update(elf?.data ?? '')
      .digest('hex');
    expect(text).toContain(`app_init: ELF file SHA256:  ${hash.slice(0, 9)}...`);
  });

  it.each(partitioned)('without its bootloader leaves an %s in the ROM', async (chip) => {
    const { host, text } = await bootLog(chip, flashed(chip).slice(1));
    expect(text).toContain('invalid header: 0xffffffff');
    expect(host.device.state).toBe('boot-loop');
  });

  it('with a torn bootloader starts again and again', async () => {
    const [bootloader, ...rest] = flashed('esp32');
    const torn = { offset: 0x1000, data: bootloader?.data.subarray(0, 4_096) ?? new Uint8Array() };
    const { host, text } = await bootLog('esp32', [torn, ...rest]);
    expect(text).toMatch(/csum err:0x[0-9a-f]{2}!=0x[0-9a-f]{2}|invalid header/);
    expect(text.match(/rst:0x/g)?.length).toBeGreaterThan(2);
    expect(host.device.state).toBe('boot-loop');
  });

  it.each(['esp32', 'esp32c3'] as const)(
    'without its partition table is stopped by the bootloader on an %s',
    async (chip) => {
      const { host, text } = await bootLog(
        chip,
        flashed(chip).filter(({ offset }) => offset !== 0x8000),
      );
      expect(text).toContain('flash_parts: partition 0 invalid magic number 0xffff');
      expect(text).toContain('boot: load partition table error!');
      expect(text.match(/rst:0x/g)?.length).toBeGreaterThan(2);
      expect(host.device.state).toBe('boot-loop');
    },
  );

  it('with a damaged partition table is stopped by its hash', async () => {
    const content = flashed('esp32').map(({ offset, data }) => ({ offset, data: data.slice() }));
    const table = content.find(({ offset }) => offset === 0x8000)?.data ?? new Uint8Array();
    table[13] = 0x78;
    const { text } = await bootLog('esp32', content);
    expect(text).toContain('flash_parts: Incorrect MD5 checksum');
  });

  it('without its application has nothing to boot', async () => {
    const { host, text } = await bootLog('esp32s3', flashed('esp32s3').slice(0, 2));
    expect(text).toContain('No bootable app partitions in the partition table');
    expect(host.device.state).toBe('boot-loop');
  });

  it('marks bootloader and application as for demo devices only', () => {
    for (const { offset, data } of setFor('esp32').filter(
      ({ name }) => name.endsWith('.bin') && name !== 'partition-table.bin',
    )) {
      expect(Buffer.from(data).includes('wirebench-boot-text:'), `0x${offset?.toString(16)}`).toBe(true);
    }
  });

  it('has the names and places that a build gives its files', () => {
    const places = (chip: EspChipName) => setFor(chip).map(({ name, offset }) => [name, offset]);
    expect(places('esp32p4')).toEqual([
      ['bootloader.bin', 0x2000],
      ['partition-table.bin', 0x8000],
      ['demo-esp32p4.bin', 0x10000],
      ['demo-esp32p4.elf', null],
    ]);
    expect(places('esp8266')).toEqual([
      ['demo-esp8266.bin', 0],
      ['demo-esp8266.elf', null],
    ]);
  });
});
