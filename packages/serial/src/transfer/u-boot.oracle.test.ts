/**
 * U-Boot, a bootloader of many boards, receives files from this code by `loadx` and `loady` and gives their checksum.
 * Runs if Debian's `u-boot-qemu` and `qemu-system-arm` are installed. `npm test` sends one file by YMODEM with blocks of
 * both sizes. `block-transfer.test.ts` decides the same for the other protocols and for a cancel.
 */
import { crc32 } from 'node:zlib';
import { systemClock } from '@wirebench/clock';
import { firstUnlessLong, isLong } from '@wirebench/test-input';
import { afterEach, describe, expect, it } from 'vitest';
import { sendFiles } from './run-transfer.ts';
import { outgoing } from './testing/memory-files.ts';
import { fileBytes } from './testing/noisy-line.ts';
import { hasUBoot, startUBoot, type UBoot } from './testing/u-boot.ts';

/** In the RAM of QEMU's machine `virt`, below the place to which U-Boot moves itself. */
const address = '41000000';

let board: UBoot | null = null;
afterEach(() => {
  board?.dispose();
  board = null;
});

describe.runIf(hasUBoot())('U-Boot', { timeout: 120_000 }, () => {
  it.each(
    firstUnlessLong([
      ['loady', 'ymodem', 60_003],
      ['loady', 'ymodem', 128],
      ['loadx', 'xmodem', 3_000],
      ['loadx', 'xmodem-1k', 60_003],
    ]),
  )('receives by %s what is sent by %s: %i bytes', async (command, protocol, size) => {
    board = startUBoot();
    await board.untilPrompt();
    const bytes = fileBytes(size, size);
    board.type(`${command} 0x${address}\r`);
    await board.until(/## Ready for binary/);
    const report = await sendFiles(protocol, [outgoing('file.bin', bytes)], { link: board.link, clock: systemClock });
    expect(report).toMatchObject({ outcome: 'complete', files: [{ state: 'complete', bytes: size }] });
    const [, total] = await board.until(/## Total Size {6}= 0x[0-9a-f]+ = (\d+) Bytes/);
    if (protocol === 'ymodem') {
      expect(Number(total)).toBe(size);
    }
    await board.untilPrompt();
    board.type(`crc32 ${address} ${size.toString(16)}\r`);
    const [, sum] = await board.until(/==> ([0-9a-f]{8})/);
    expect(sum).toBe(crc32(bytes).toString(16).padStart(8, '0'));
  });

  it.runIf(isLong)('is at its prompt again after a cancelled transfer', async () => {
    board = startUBoot();
    await board.untilPrompt();
    board.type(`loady 0x${address}\r`);
    await board.until(/## Ready for binary/);
    const abort = new AbortController();
    const report = await sendFiles('ymodem', [outgoing('file.bin', fileBytes(200_000, 1))], {
      link: board.link,
      clock: systemClock,
      signal: abort.signal,
      onProgress: ({ sent }) => sent > 8_000 && abort.abort(),
    });
    expect(report).toMatchObject({ outcome: 'cancelled', files: [{ state: 'partial' }] });
    await board.untilPrompt();
    // The quotes tell the printed line from the echo of the typed one.
    board.type("echo st''ill here\r");
    await board.until(/still here/);
  });
});
