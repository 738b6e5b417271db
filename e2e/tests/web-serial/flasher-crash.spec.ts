/** A board's crash, read from its flash through Chromium's own Web Serial, and erased there. */
import { staticPages } from '@wirebench/contract';
import { crashedContent, espFirmwareSet } from '@wirebench/devices';
import { expect, test } from '../../web-serial/esp-fixture.ts';
import { board } from '../flasher-steps.ts';

const content = crashedContent();
/** The core dump is the last part of the content. */
const kept = content.at(-1) ?? { offset: 0, data: new Uint8Array() };
const elf = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text: '' }).find(({ name }) =>
  name.endsWith('.elf'),
);

test.use({ start: staticPages.espFlasher, chip: { chip: 'esp32', flash: { content } } });

test('the crash of a board is read from its flash, explained by its ELF file, and erased with the next write', async ({
  terminal: page,
  device,
}) => {
  await page.getByRole('button', { name: 'Connect a board', exact: true }).click();
  await expect(board(page)).toContainText('Ready');
  const contents = page.getByRole('region', { name: 'On the board' });
  await contents.getByRole('button', { name: /^coredump/ }).click();
  await contents.getByRole('button', { name: 'Read the crash' }).click();
  const dump = page.getByRole('article', { name: 'Core dump' });
  await expect(dump.getByRole('heading', { level: 2 })).toContainText('LoadProhibited at address 0x00000004');
  await expect(dump).toContainText('checksum correct (CRC-32)');
  await page
    .getByLabel('ELF files of the firmware, and core dumps')
    .setInputFiles({ name: 'demo.elf', mimeType: 'application/octet-stream', buffer: Buffer.from(elf?.data ?? []) });
  await expect(dump).toContainText('demo.elf is the build that crashed');
  const frames = dump.getByRole('list', { name: 'Frames, innermost first' }).getByRole('listitem');
  await expect(frames).toHaveCount(4);
  await expect(frames.first()).toContainText('read_sensor');

  const inFlash = () => device.flash.read(kept.offset, kept.data.length);
  expect(Buffer.from(inFlash()).equals(kept.data)).toBe(true);
  await contents.getByRole('button', { name: 'More about coredump' }).click();
  await page.getByRole('menuitem', { name: 'Erase coredump' }).click();
  expect(Buffer.from(inFlash()).equals(kept.data)).toBe(true);
  await page.getByRole('button', { name: 'Erase coredump', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Erased and checked');
  expect(inFlash().every((byte) => byte === 0xff)).toBe(true);
  await contents.getByRole('button', { name: 'Connect again' }).click();
  await expect(contents.getByRole('button', { name: /^coredump.*Empty/ })).toBeVisible();
});
