import type { NrfInfo } from '@wirebench/flasher/nrf';
import { describe, expect, it } from 'vitest';
import type { NrfFacts } from '../../../../../protocol/nrf-types.ts';
import { boardFacts, describeBoard } from './board-facts.ts';

const info: NrfInfo = {
  bootloader: 'secure-dfu',
  link: 'usb',
  part: 'nRF52840',
  flashSize: 2 ** 20,
  ramSize: 256 * 1_024,
  slots: [],
  room: null,
  canTest: false,
  unfinished: null,
};
const board = (part: Partial<NrfInfo>, baudRate: number | null = null): NrfFacts => ({
  family: 'nrf',
  name: 'nRF52840',
  model: null,
  id: null,
  flash: { start: 0, size: null },
  areas: [],
  baudRate,
  console: { lines: null, reset: null },
  demo: false,
  port: { usbVendorId: 0x1366, usbProductId: 0x1015 },
  info: { ...info, ...part },
});
const facts = (part: Partial<NrfInfo> = {}, baudRate: number | null = null) =>
  Object.fromEntries(boardFacts(board(part, baudRate)).map(({ name, value }) => [name, value]));

describe('facts of a Nordic board', () => {
  it('name bootloader, part and memories', () => {
    expect(facts()).toEqual({
      Bootloader: 'Secure DFU (nRF5 SDK)',
      Part: 'nRF52840',
      Flash: '1 MB',
      RAM: '256 KB',
      Connection: 'Built-in USB',
    });
    expect(describeBoard(board({}))).toMatchObject({ subtitle: 'Secure DFU (nRF5 SDK)', print: ['nRF', '52840'] });
  });

  it('say what the bootloader does not report, and the rate of a UART', () => {
    const shown = facts(
      { bootloader: 'adafruit-dfu', part: null, flashSize: null, ramSize: null, link: 'uart' },
      115_200,
    );
    expect(shown).toMatchObject({ Bootloader: 'Adafruit nRF52', Part: 'unknown', Baud: '115200' });
    expect(shown).not.toHaveProperty('Flash');
  });

  it('show a transfer that can be resumed', () => {
    expect(boardFacts(board({ unfinished: { offset: 32_768, crc: 1 } })).at(-1)).toEqual({
      name: 'Unfinished',
      value: '32.0 KB received, can be resumed',
      tone: 'warning',
    });
  });
});
