/**
 * Builds that are written by themselves to a genuine bootloader: a real ninja, compiler and linker, Chromium's own Web
 * Serial, and optiboot in simavr. The tests compare the whole flash of the chip.
 */
import { staticPages } from '@wirebench/contract';
import { missingPrograms, NinjaBuild, targets } from '../../support/ninja-build.ts';
import { expect, missingBoard, test } from '../../web-serial/genuine-fixture.ts';
import { board } from '../flasher-steps.ts';
import { expectWholeBuilds, watchFolder } from '../watch-steps.ts';

/** Number for which the watch is made. */
const builds = 200;

test.use({ start: staticPages.avrFlasher });
test.skip(missingBoard !== null, missingBoard ?? '');

/** Returns the flash that a chip with the flash `empty` has after the sketch of a HEX file was written. */
function withHex(empty: Uint8Array, hex: Buffer): Buffer {
  const flash = Buffer.from(empty);
  // Data records (Intel, "Hexadecimal Object File Format Specification", revision A).
  for (const [, address = '', data = ''] of hex.toString('latin1').matchAll(/^:..(....)00(.*)..\r?$/gm)) {
    flash.set(Buffer.from(data, 'hex'), Number.parseInt(address, 16));
  }
  return flash;
}

test('builds that are slow and killed leave only whole and new sketches in the flash of a genuine Uno @long', async ({
  terminal: page,
  chip,
}, info) => {
  const missing = missingPrograms(targets.avr);
  test.skip(missing !== null, `This machine has no ${missing}.`);
  test.setTimeout(120_000 + builds * 12_000);
  const empty = await chip.flash();
  const build = new NinjaBuild(info.outputPath('build'), targets.avr);
  await build.begin();
  await page.getByRole('button', { name: 'Connect a board', exact: true }).click();
  await expect(board(page)).toContainText('Ready');
  await watchFolder(page, build.path, 'Written and verified');
  await page.getByRole('button', { name: 'Builds only' }).click();
  let compared = 0;
  const onWritten = async () => {
    const wanted = withHex(empty, await build.wholeImage(build.latest));
    expect(wanted.equals(await chip.flash()), 'the flash is that of the latest build').toBe(true);
    compared++;
  };
  const { length } = await expectWholeBuilds(page, build, { builds, longestPause: 1_000, onWritten });
  info.annotations.push({
    type: 'builds',
    description: `${builds} builds, ${build.killed} killed, ${length} written, ${compared} compared, 0 torn, 0 stale`,
  });
});
