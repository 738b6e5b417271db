/** `wirebench efuses` as a process: simulated chips behind pseudo-terminals of socat. */
import { EspDevice } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { ran } from '../testing/monitored-port.ts';
import { esp32, hasSocat, served } from '../testing/served-board.ts';

const efuses = (...args: readonly string[]) => ran('efuses', ...args);

/** Returns the first object of an event among the lines of `--json`. */
const stepOf = (text: string, wanted: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ event }) => event === wanted);

describe.runIf(hasSocat)('efuses', { timeout: 60_000 }, () => {
  it('says what an open ESP32 allows, and writes nothing', async () => {
    const device = esp32({ mac: '24:0A:C4:00:01:10' });
    const { code, text } = await efuses((await served(device)).path, '--by-hand');
    expect(code, text).toBe(0);
    expect(text).toContain('Read from the chip. Wirebench never writes an eFuse.\nWhat this board allows:\n');
    expect(text).toContain('  Open     Flash is not encrypted (FLASH_CRYPT_CNT 0)\n');
    expect(text).toContain('MAC address 24:0a:c4:00:01:10');
    expect(text).not.toContain('EFUSE_NAME');
    expect(device.flash.programmedBytes + device.flash.erasedBytes).toBe(0);
  });

  it('prints every field with --all, and with --json', async () => {
    const device = esp32({ seed: 2 });
    const all = await efuses((await served(device)).path, '--by-hand', '--all');
    expect(all.text).toMatch(/^FLASH_CRYPT_CNT \(BLOCK0\) .*= 0 R\/W/m);
    const { code, text } = await efuses((await served(device)).path, '--by-hand', '--json');
    expect(code, text).toBe(0);
    const { title, lines, fields } = stepOf(text, 'efuses');
    expect(title).toBe('Open: anyone with a cable can read and write');
    expect(lines).toContainEqual({ mark: 'open', text: 'Flash is not encrypted', fuses: 'FLASH_CRYPT_CNT 0' });
    expect(fields).toContainEqual(
      expect.objectContaining({ name: 'FLASH_CRYPT_CNT', block: 0, number: 0, readable: true, burnt: false }),
    );
    expect(fields.length).toBe(all.text.match(/^\w+ \(BLOCK\d+\)/gm)?.length);
  });

  it('hides the keys of a secured board', async () => {
    const { code, text } = await efuses('--simulate', 'esp32c3-secured', '--json');
    expect(code, text).toBe(0);
    const { title, fields } = stepOf(text, 'efuses');
    expect(title).toBe('Secure boot is on, flash is encrypted');
    const hidden = fields.filter(({ readable }: { readonly readable: boolean }) => !readable);
    expect(hidden.length).toBeGreaterThan(0);
    expect(
      hidden.every(
        ({ value, number, raw }: Record<string, unknown>) => value === null && number === null && raw === null,
      ),
    ).toBe(true);
  });

  it('shows what a chip in Secure Download Mode reports', async () => {
    const device = new EspDevice({ chip: 'esp32c3', powerUp: 'download', security: { secureDownload: true } });
    const { code, text } = await efuses((await served(device)).path, '--by-hand');
    expect(code, text).toBe(0);
    expect(text).toContain('Its eFuses cannot be read either; this is all that it reports');
  });

  it('ends with 4 for a board of another family, 3 without a port, and 2 for wrong use', async () => {
    expect(await efuses('--simulate', 'arduino-uno')).toMatchObject({
      code: 4,
      text: expect.stringContaining(
        'only Espressif boards have eFuses: arduino-uno is a board of another family, Arduino.',
      ),
    });
    expect((await efuses('/dev/none')).code).toBe(3);
    expect((await efuses()).code).toBe(2);
    expect((await efuses('one', 'two')).code).toBe(2);
  });
});
