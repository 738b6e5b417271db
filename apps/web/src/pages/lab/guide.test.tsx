/** Tests on the demo boards that the ESP32 bench's guide is right about wires, pins and the worked example. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { pagePaths } from '@wirebench/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { reload, showPage, withWholePages } from '../../workbench/testing/whole-page.tsx';
import { chooseDemo, fill, found, i2c, press, readRegisters, wide } from './testing/lab-steps.ts';

withWholePages(wide);

const boards = [
  { chip: 'ESP32', demo: 'Demo ESP32 bench' },
  { chip: 'ESP32-C3', demo: 'Demo ESP32-C3 bench' },
] as const;

/** The simulated document has no layout. */
beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

/** Returns a reader for the cells of a table of the guide, by the names of row and column. */
async function tableOf(label: string, anchor: string): Promise<(row: string, column: string) => string> {
  await showPage(`${pagePaths.esp32Docs}#${anchor}`, async () =>
    (await import('../docs/guide-page.tsx')).guidePage(pagePaths.esp32Docs),
  );
  const table = within(await screen.findByRole('region', { name: label }));
  const head = (await table.findAllByRole('columnheader')).map(({ textContent }) => textContent);
  const [, ...lines] = await table.findAllByRole<HTMLTableRowElement>('row');
  const rows = new Map(
    lines.map(({ cells }) => {
      const texts = Array.from(cells, ({ textContent }) => textContent);
      return [texts[0], texts];
    }),
  );
  reload();
  return (row, column) => rows.get(row)?.[head.indexOf(column)] ?? '';
}

it.each(boards)('the BME280 of the guide is found and read by hand on the $demo', async ({ chip, demo }) => {
  const wire = await tableOf('Wires of the BME280', 'bme280-wiring');
  const [sda, scl] = [wire('SDA or SDI', chip), wire('SCL or SCK', chip)].map((pin) => pin.replace('GPIO ', ''));
  await chooseDemo(demo);
  const bus = within(i2c());
  expect((await bus.findByRole<HTMLSelectElement>('combobox', { name: 'SDA' })).value).toBe(sda);
  expect((await bus.findByRole<HTMLSelectElement>('combobox', { name: 'SCL' })).value).toBe(scl);
  await press('Scan', i2c);
  const sensor = () => within(found()).getByRole('button', { name: /^0x76/ });
  await says(sensor, '0x76');
  await says(sensor, 'Identified by register 0xD0 = 0x60');
  await userEvent.click(sensor());
  const register = await bus.findByRole('textbox', { name: 'Register' });
  const read = async (number: string, bytes: number) => {
    fill(register, number);
    fill(await bus.findByRole('textbox', { name: 'Bytes' }), String(bytes));
    await readRegisters();
    return (await bus.findByText(`0x76 register 0x${number}:`)).parentElement?.textContent;
  };
  const write = async (number: string, value: string) => {
    fill(register, number);
    fill(await bus.findByRole('textbox', { name: 'Bytes to write' }), value);
    await press('Write', () => bus.getByRole('form', { name: 'Write a register' }));
    await bus.findByText(`0x76 took ${value} for register 0x${number}.`);
  };
  expect(await read('D0', 1)).toContain('60 (96)');
  // The sensor sleeps, so its data registers have their values after a reset.
  expect(await read('F7', 8)).toContain('80 00 00 80 00 00 80 00');
  await write('F2', '01');
  await write('F4', '27');
  await waitFor(async () => expect(await read('F7', 8)).not.toContain('80 00 00'));
});

it.each(boards)(
  'the pins that the guide says are locked on the $chip are locked on the $demo',
  async ({ chip, demo }) => {
    const cell = await tableOf('Locked pins and pins with a note', 'locked-pins');
    const row = chip === 'ESP32' ? chip : 'ESP32-C3 over a serial bridge';
    const [sure = ''] = cell(row, 'Locked').split(';');
    const noted = cell(row, 'With a note');
    await chooseDemo(demo);
    const pins = within(screen.getByRole('radiogroup', { name: /^Pins of the/ }));
    const labels = (await pins.findAllByRole('radio')).map((pin) => pin.getAttribute('aria-label') ?? '');
    const shown = (of: (label: string) => boolean) => labels.filter(of).map((label) => Number(/\d+/.exec(label)?.[0]));
    const isLocked = (label: string) => label.endsWith(', locked');
    const isNoted = (label: string) => label.endsWith('read the note before using it');
    expect(shown(isLocked).length).toBeGreaterThan(1);
    expect(shown(isLocked).filter((gpio) => !numbersIn(sure).includes(gpio))).toEqual([]);
    expect(numbersIn(sure).filter((gpio) => shown((label) => !isLocked(label)).includes(gpio))).toEqual([]);
    expect(shown(isNoted).filter((gpio) => !numbersIn(noted).includes(gpio))).toEqual([]);
  },
);

/**
 * Returns the numbers and ranges of a sentence: `6 to 8, 1` is 6, 7, 8, 1. Brackets contain reasons and are ignored.
 */
function numbersIn(text: string): number[] {
  return [...text.replaceAll(/\([^)]*\)/g, '').matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from = '', to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index),
  );
}
