import { describe, expect, it } from 'vitest';
import { backupFileName, boardFileName, isOneOfMany } from './backup-name.ts';

const board = { name: 'ESP32-S3', id: '24:0A:C4:00:01:10' };
const range = { offset: 0x9000, length: 0x6000 };

describe('names of backups', () => {
  it('have the offset, by which a flasher puts the file back', () => {
    expect(backupFileName(board, 'nvs', range, null)).toBe('240AC4000110-nvs-0x9000.bin');
    expect(backupFileName(null, 'my data', range, null)).toBe('board-my-data-0x9000.bin');
  });

  it('have chip and time where many are made of one board', () => {
    const at = new Date(2026, 10, 27, 14, 3);
    expect(isOneOfMany('flash') && isOneOfMany('region') && !isOneOfMany('nvs')).toBe(true);
    expect(backupFileName(board, 'flash', { ...range, offset: 0 }, at)).toBe(
      'esp32-s3-240ac4000110-2026-11-27-1403-flash-0x0.bin',
    );
    expect(boardFileName({ name: 'STM32F405', id: null })).toBe('stm32f405');
  });
});
