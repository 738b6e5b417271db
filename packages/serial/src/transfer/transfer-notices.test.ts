import { describe, expect, it } from 'vitest';
import type { TransferOutcome } from './transfer-end.ts';
import { endNotice, type Transfer } from './transfer-notices.ts';
import type { FileReport, TransferReport } from './transfer-types.ts';

const receiving: Transfer = { direction: 'receive', protocol: 'ymodem', port: 'Port 2', names: [] };
const whole = (name: string, more: Partial<FileReport> = {}): FileReport => ({
  name,
  bytes: 999,
  from: 0,
  state: 'complete',
  ...more,
});
const report = (outcome: TransferOutcome, files: readonly FileReport[]): TransferReport => ({
  outcome,
  files,
  repeats: 0,
  duration: 2_000,
  rest: new Uint8Array(),
});

describe('notice at the end of a transfer', () => {
  it('names the whole files of a batch that ended without its end', () => {
    expect(endNotice(receiving, report('no-batch-end', [whole('a.bin')]))).toEqual({
      level: 'warning',
      text:
        'Receiving from Port 2 by YMODEM ended after a.bin: the board did not say that it was the last file. ' +
        'If one is missing, start the transfer again on both sides.',
    });
  });

  it('names whole files and the part of the one that was cut', () => {
    const files = [whole('a.bin'), whole('b.bin'), whole('c.bin', { bytes: 128, state: 'partial' })];
    expect(endNotice(receiving, report('no-answer', files)).text).toContain(
      'ended after 2 files and 128 bytes of c.bin: the board does not answer.',
    );
  });

  it('warns about a file of another size than announced', () => {
    expect(endNotice(receiving, report('complete', [whole('a.bin', { announced: 500 })]))).toEqual({
      level: 'warning',
      text:
        'Received a.bin from Port 2 by YMODEM: 999 bytes in 2.0 s. ' +
        'a.bin has 999 bytes, and the board had announced 500: check it',
    });
  });

  it('says that the name of a file was shortened', () => {
    expect(endNotice(receiving, report('complete', [whole('a.bin', { isNameCut: true })]))).toEqual({
      level: 'warning',
      text:
        'Received a.bin from Port 2 by YMODEM: 999 bytes in 2.0 s. ' +
        "The name a.bin is cut: the board's name is longer",
    });
  });

  it('says that the board goes on asking after Stop', () => {
    expect(endNotice({ ...receiving, direction: 'send', names: ['a.bin'] }, report('still-asking', [])).text).toBe(
      'Sending a.bin to Port 2 by YMODEM ended: it was stopped here, but the board goes on asking. Stop it there, too, such as with Ctrl+C.',
    );
  });
});
