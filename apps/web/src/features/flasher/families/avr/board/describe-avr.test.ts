import type { AvrInfo } from '@wirebench/flasher/avr';
import { describe, expect, it } from 'vitest';
import type { AvrFacts } from '../../../../../protocol/avr-types.ts';
import { testBoard } from '../../../testing/families.ts';
import { describeAvr } from './describe-avr.ts';

const info: AvrInfo = {
  link: 'uart',
  protocol: 'stk500v1',
  bootloader: 'optiboot',
  bootloaderName: 'optiboot',
  bootloaderVersion: '4.4',
  isOldBootloader: false,
  signature: '0x1E950F',
  part: 'ATmega328P',
  model: 'atmega328p',
  flashSize: 0x8000,
  pageSize: 128,
  application: { offset: 0, length: 0x7e00 },
  bootloaderRange: { offset: 0x7e00, length: 0x200 },
  bootloaderRangeFrom: 'usual',
  eepromSize: 1_024,
  hasEeprom: false,
  fuses: null,
  writesInOrder: false,
  entered: 'lines',
};
const board = (part: Partial<AvrInfo>, baudRate: number | null = 115_200): AvrFacts => ({
  ...testBoard(),
  family: 'avr',
  name: 'ATmega328P',
  model: null,
  id: null,
  baudRate,
  demo: false,
  port: { usbVendorId: 0x2341, usbProductId: 0x0043 },
  info: { ...info, ...part },
});
const facts = (part: Partial<AvrInfo> = {}, baudRate?: number | null) =>
  Object.fromEntries(describeAvr(board(part, baudRate)).facts.map(({ name, value }) => [name, value]));

describe('facts of a board with an AVR', () => {
  it('name flash, EEPROM, bootloader, adapter and rate, and no fuse that was not read', () => {
    expect(facts()).toEqual({
      Flash: '32 KB, 31.5 KB for the sketch',
      EEPROM: '1 KB, not through this bootloader',
      Bootloader: 'optiboot 4.4, usually 512 B',
      Connection: 'Arduino',
      Baud: '115200',
    });
    expect(describeAvr(board({}))).toMatchObject({ subtitle: 'Signature 0x1E950F', print: ['ATMEGA', '328P'] });
  });

  it('say that the bootloader is an old one', () => {
    expect(
      facts(
        {
          isOldBootloader: true,
          bootloaderName: 'ATmegaBOOT',
          bootloaderVersion: null,
          bootloaderRange: { offset: 0x7800, length: 0x800 },
          bootloaderRangeFrom: 'fuse',
        },
        57_600,
      ),
    ).toMatchObject({
      Bootloader: 'ATmegaBOOT, 2.0 KB',
      Baud: '57600, old bootloader',
    });
  });

  it('list the fuses and lock bits that the bootloader has read', () => {
    const fuses = { low: 0xff, high: 0xd8, extended: null, lock: 0xcf };
    expect(facts({ fuses, link: 'usb' }, null)).toMatchObject({
      Fuses: 'low 0xFF, high 0xD8',
      Lock: '0xCF',
      Connection: 'Built-in USB',
    });
    expect(facts({ fuses: { low: null, high: null, extended: null, lock: null } })).not.toHaveProperty('Fuses');
  });

  it('are only bootloader, connection and rate for an unknown part', () => {
    const unknown = { part: 'AVR (0x1E9999)', signature: '0x1E9999', flashSize: 0, eepromSize: 0 };
    expect(Object.keys(facts(unknown))).toEqual(['Bootloader', 'Connection', 'Baud']);
    expect(describeAvr(board(unknown)).print).toEqual(['AVR', '']);
  });
});
