/** Compares the words for an erase of everything with the plans of all families that can erase. */
import { describe, expect, it } from 'vitest';
import { readAvrFile } from '../avr/file/read-avr-file.ts';
import { planAvr } from '../avr/plan/plan-avr.ts';
import { unoInfo } from '../avr/testing/boards.ts';
import type { BoardChange } from '../core/board-change.ts';
import type { FlashPlan } from '../core/flash-plan.ts';
import { readPartitionTable } from '../esp/images/partition-table.ts';
import { buildTable } from '../esp/testing/esp-data.ts';
import { board, file, plan } from '../esp/testing/plans.ts';
import { buildIntelHex } from '../images/testing/formats.ts';
import { growing16, sectorsOf } from '../stm/parts/flash-layout.ts';
import { planStm } from '../stm/plan/plan-stm.ts';
import { noise } from '../testing/program.ts';
import { erasedFlash } from './plan-words.ts';

const fatesOf = ({ map }: Pick<FlashPlan<string, string>, 'map'>, name: string) =>
  map.filter((area) => area.name === name).map(({ fate }) => fate);

describe('the erase of the whole flash', () => {
  it('leaves the settings of an Espressif board out, as the map does', async () => {
    const made = await plan({ erase: 'all', keepNvs: true });
    expect(fatesOf(made, 'nvs')).toEqual(['restored']);
    expect(erasedFlash(made)).toBe('all flash except the stored settings (nvs)');
  });

  it('gives settings their own names, and names their keys', async () => {
    const layout = [
      { name: 'config', type: 1, subtype: 2, offset: 0x9000, size: 0x5000 },
      { name: 'keys', type: 1, subtype: 4, offset: 0xe000, size: 0x1000 },
      { name: 'app', type: 0, subtype: 0, offset: 0x10000, size: 0x100000 },
    ];
    const table = readPartitionTable(buildTable(layout));
    const files = [file('partitions.bin', 0x8000, buildTable(layout))];
    const made = await plan({ files, board: board({ table }), erase: 'all', keepNvs: true });
    expect(erasedFlash(made)).toBe('all flash except the stored settings (config and keys)');
  });

  it('leaves settings out of which some keys change', async () => {
    const range = { offset: 0x9000, length: 0x6000 };
    const writes = [{ offset: 0x9000, bytes: noise(0x1000) }];
    const change: BoardChange = { name: 'nvs', range, basis: null, erases: [], writes };
    const made = await plan({ changes: [change], erase: 'all', keepNvs: true });
    expect(fatesOf(made, 'nvs')).toEqual(['written', 'restored']);
    expect(erasedFlash(made)).toBe('all flash except the stored settings (nvs)');
  });

  it('takes all flash of an Espressif board if no settings are kept', async () => {
    expect(erasedFlash(await plan({ erase: 'all', keepNvs: false }))).toBe('the whole flash');
  });

  it('takes all flash of an STM32', () => {
    const info = {
      link: 'uart',
      name: 'STM32F405/407/415/417',
      model: 'stm32f',
      flashSize: 512 * 1_024,
      sectors: sectorsOf(growing16, 512 * 1_024),
      protection: 'none',
    } as const;
    const files = [{ name: 'app.bin', segments: [{ address: 0x0800_0000, bytes: noise(100) }] }];
    const made = planStm({ files, board: { info, isDemo: false, baudRate: null }, eraseAll: true });
    expect(erasedFlash(made)).toBe('the whole flash');
  });

  it('leaves the bootloader of an Arduino board out', () => {
    const hex = buildIntelHex([{ address: 0, bytes: noise(100) }]);
    const files = [{ ...readAvrFile(hex, 'a.hex'), name: 'a.hex' }];
    const made = planAvr({ files, board: { info: unoInfo, isDemo: false, baudRate: 115_200 }, eraseAll: true });
    expect(fatesOf(made, 'bootloader')).toEqual(['kept']);
    expect(erasedFlash(made)).toBe('all flash except the bootloader');
  });
});
