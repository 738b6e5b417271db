import type { RpInfo } from '@wirebench/flasher/rp';
import { describe, expect, it } from 'vitest';
import { testPico } from '../../../testing/families.ts';
import { describeRp } from './describe-rp.ts';

const board = (part: Partial<RpInfo> = {}) => testPico({ demo: false }, part);
const facts = (part?: Partial<RpInfo>) =>
  Object.fromEntries(describeRp(board(part)).facts.map(({ name, value }) => [name, value]));

describe('facts of a Raspberry Pi board', () => {
  it('name chip, flash, what is in it, and the ROM', () => {
    expect(facts()).toEqual({
      Flash: '2 MB',
      'In flash': 'the files of MicroPython, 1.4 MB',
      'Boot ROM': 'version 3',
      Connection: 'USB, PICOBOOT',
    });
    expect(describeRp(board())).toMatchObject({ subtitle: 'RP2040 B2', print: ['RP', '2040'] });
  });

  it('say of an RP2350 which processor starts, and warn of secure boot', () => {
    const part = {
      chip: 'RP2350',
      revision: 'A4',
      uniqueId: '0011223344556677',
      cpu: 'riscv',
      secureBoot: true,
    } as const;
    expect(facts(part)).toMatchObject({ 'Unique ID': '0011223344556677', Processor: 'RISC-V' });
    expect(describeRp(board(part)).facts).toContainEqual({ name: 'Secure boot', value: 'enabled', tone: 'warning' });
  });

  it('claim of a drive only what it tells', () => {
    const part = { link: 'drive', revision: null, romVersion: null, flashSize: null, cpu: null, users: [] } as const;
    expect(facts(part)).toEqual({ Connection: 'Its drive' });
  });
});
