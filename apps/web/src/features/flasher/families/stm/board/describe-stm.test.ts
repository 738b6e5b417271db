import type { StmInfo } from '@wirebench/flasher/stm';
import { describe, expect, it } from 'vitest';
import type { StmFacts } from '../../../../../protocol/stm-types.ts';
import { testBoard } from '../../../testing/families.ts';
import { describeStm } from './describe-stm.ts';

const info: StmInfo = {
  link: 'uart',
  productId: 0x413,
  name: 'STM32F405/407/415/417',
  family: 'F4',
  model: 'stm32f',
  bootloaderVersion: '3.1',
  flashSize: 2 ** 20,
  sectors: [],
  erasedValue: 0xff,
  protection: 'none',
  optionBytes: null,
  uniqueId: '96EA7544DBA0CEDA794F5D98',
};
const board = (part: Partial<StmInfo>, baudRate: number | null = 115_200): StmFacts => ({
  ...testBoard(),
  family: 'stm',
  name: 'STM32F405/407/415/417',
  model: null,
  areas: [{ name: '4 × 16 KB', offset: 0x0800_0000, length: 0x1_0000 }],
  baudRate,
  demo: false,
  port: { usbVendorId: 0x0483, usbProductId: 0x374b },
  info: { ...info, ...part },
});
const facts = (part: Partial<StmInfo> = {}, baudRate?: number | null) =>
  Object.fromEntries(describeStm(board(part, baudRate)).facts.map(({ name, value }) => [name, value]));

describe('facts of an STM32', () => {
  it('name flash, sectors, bootloader, id, adapter and rate', () => {
    expect(facts()).toEqual({
      Flash: '1 MB',
      Sectors: '4\u00a0×\u00a016\u00a0KB',
      Bootloader: '3.1',
      'Unique ID': '96EA7544DBA0CEDA794F5D98',
      Protection: 'none',
      Connection: 'ST-LINK',
      Baud: '115200',
    });
    expect(describeStm(board({}))).toMatchObject({ subtitle: 'Product ID 0x413', print: ['STM32', 'F4'] });
  });

  it('leave out what a bootloader on USB does not report', () => {
    const shown = facts({ link: 'usb', productId: null, uniqueId: null }, null);
    expect(Object.keys(shown)).toEqual(['Flash', 'Sectors', 'Bootloader', 'Protection', 'Connection']);
    expect(shown['Connection']).toBe('USB bootloader');
  });

  it('warn of read protection', () => {
    const { facts: lines } = describeStm(board({ protection: 'read-protected' }));
    expect(lines).toContainEqual({ name: 'Protection', value: 'read-protected', tone: 'warning' });
  });
});
