/** The hardware debugger's guide: what it says about wires, pins and the worked example is so on the demo boards. */
import type { Page } from '@playwright/test';
import { esp32BenchPage, pagePaths } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';

const boards = [
  { chip: 'ESP32', demo: 'Demo ESP32 bench' },
  { chip: 'ESP32-C3', demo: 'Demo ESP32-C3 bench' },
] as const;

async function openDemo(page: Page, demo: string): Promise<void> {
  await page.goto(esp32BenchPage);
  await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
  await page.getByRole('menuitem', { name: demo, exact: true }).click();
  await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible();
}

/** The cells of a table of the guide, by the row's name and the column's. */
async function tableOf(page: Page, label: string): Promise<(row: string, column: string) => string> {
  await page.goto(pagePaths.esp32Docs);
  const table = page.getByRole('region', { name: label });
  await expect(table).toBeVisible();
  const head = await table.getByRole('columnheader').allTextContents();
  const rows = new Map<string, string[]>();
  for (const row of await table.locator('tbody tr').all()) {
    const [name = '', ...cells] = await row.locator('th, td').allTextContents();
    rows.set(name, [name, ...cells]);
  }
  return (row, column) => rows.get(row)?.[head.indexOf(column)] ?? '';
}

for (const { chip, demo } of boards) {
  test(`the BME280 of the guide is found and read by hand on the ${demo}`, async ({ page }) => {
    const wire = await tableOf(page, 'Wires of the BME280');
    const [sda, scl] = [wire('SDA or SDI', chip), wire('SCL or SCK', chip)].map((pin) => pin.replace('GPIO ', ''));
    await openDemo(page, demo);
    const bus = page.getByRole('region', { name: 'I2C', exact: true });
    await expect(bus.getByRole('combobox', { name: 'SDA' })).toHaveValue(sda ?? '');
    await expect(bus.getByRole('combobox', { name: 'SCL' })).toHaveValue(scl ?? '');
    await bus.getByRole('button', { name: 'Scan' }).click();
    const sensor = page.getByRole('list', { name: 'Found devices' }).getByRole('button', { name: /BME280/ });
    await expect(sensor).toContainText('0x76');
    await expect(sensor).toContainText('Identified by register 0xD0 = 0x60');
    await sensor.click();
    const register = bus.getByRole('textbox', { name: 'Register', exact: true });
    const read = async (number: string, bytes: number) => {
      await register.fill(number);
      await bus.getByRole('textbox', { name: 'Bytes', exact: true }).fill(String(bytes));
      await bus.getByRole('form', { name: 'Read registers' }).getByRole('button', { name: 'Read' }).click();
      return bus.getByText(`0x76 register 0x${number}: `).locator('..');
    };
    const write = async (number: string, value: string) => {
      await register.fill(number);
      await bus.getByRole('textbox', { name: 'Bytes to write' }).fill(value);
      await bus.getByRole('form', { name: 'Write a register' }).getByRole('button', { name: 'Write' }).click();
      await expect(bus.getByText(`0x76 took ${value} for register 0x${number}.`)).toBeVisible();
    };
    await expect(await read('D0', 1)).toContainText('60 (96)');
    // It sleeps: what it would measure is as after a reset.
    await expect(await read('F7', 8)).toContainText('80 00 00 80 00 00 80 00');
    await write('F2', '01');
    await write('F4', '27');
    await expect(async () => {
      await expect(await read('F7', 8)).not.toContainText('80 00 00', { timeout: 500 });
    }).toPass();
  });

  test(`the pins that the guide says are locked on the ${chip} are locked on the ${demo}`, async ({ page }) => {
    const cell = await tableOf(page, 'Locked pins and pins with a note');
    const row = chip === 'ESP32' ? chip : 'ESP32-C3 over a serial bridge';
    const [sure = ''] = cell(row, 'Locked').split(';');
    const noted = cell(row, 'With a note');
    await openDemo(page, demo);
    const pins = page.getByRole('radiogroup', { name: /^Pins of the/ });
    const labels = await pins
      .getByRole('radio')
      .evaluateAll((all) => all.map((pin) => pin.getAttribute('aria-label') ?? ''));
    const shown = (of: (label: string) => boolean) => labels.filter(of).map((label) => Number(/\d+/.exec(label)?.[0]));
    const isLocked = (label: string) => label.endsWith(', locked');
    const isNoted = (label: string) => label.endsWith('read the note before using it');
    expect(shown(isLocked).length).toBeGreaterThan(1);
    expect(shown(isLocked).filter((gpio) => !numbersIn(sure).includes(gpio))).toEqual([]);
    expect(numbersIn(sure).filter((gpio) => shown((label) => !isLocked(label)).includes(gpio))).toEqual([]);
    expect(shown(isNoted).filter((gpio) => !numbersIn(noted).includes(gpio))).toEqual([]);
  });
}

/** Numbers and ranges of a sentence: `6 to 8, 1` is 6, 7, 8, 1. What is in brackets is a reason. */
function numbersIn(text: string): number[] {
  return [...text.replaceAll(/\([^)]*\)/g, '').matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from = '', to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index),
  );
}
