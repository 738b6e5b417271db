import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { CallClient } from '../../protocol/calls/call-client.ts';
import type { SymbolApi, SymbolTick } from '../../protocol/symbol-protocol.ts';
import { SymbolStore } from './symbol-store.ts';

function openStore() {
  const { port1, port2 } = new MessageChannel();
  new SymbolStore(port1, new VirtualClock());
  const client = new CallClient<SymbolApi, SymbolTick>(() => undefined);
  client.attach(port2);
  port1.start();
  port2.start();
  return { client, close: () => port1.close() };
}

describe('symbol store', () => {
  it('refuses what cannot serve, with a code and with what to do', async () => {
    const { client, close } = openStore();
    const file = new File([Uint8Array.of(0xe9, 2, 2, 0x20)], 'firmware.bin');
    await expect(client.call('open', 1, file)).rejects.toMatchObject({
      code: 'not-elf',
      message: 'This is not an ELF file. Drop the .elf file that your build wrote, not the .bin that is flashed.',
    });
    close();
  });

  it('knows no place while no file is open', async () => {
    const { client, close } = openStore();
    const addresses = [{ value: 0x40200000, role: 'exact' }] as const;
    expect(await client.call('decode', { files: [1], addresses, build: null })).toEqual({
      places: [null],
      matches: {},
    });
    close();
  });

  it('searches the end of a log that is too large, and reports how much', async () => {
    const { client, close } = openStore();
    const restart = 'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\n';
    const line = 'I (12) wifi: up\n'.repeat(65_536);
    const parts = [restart, ...Array.from({ length: 33 }, () => line), restart];
    const { incidents, searched } = await client.call('readLog', new File(parts, 'night.log'));
    expect([incidents.length, searched]).toEqual([1, 32 * 1_024 * 1_024]);
    close();
  });

  it('reports how many crashes of a log are left out', async () => {
    const { client, close } = openStore();
    const restart = 'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\n';
    const { incidents, omitted, searched } = await client.call('readLog', new File([restart.repeat(80)], 'loop.log'));
    expect([incidents.length, omitted, searched]).toEqual([50, 30, null]);
    close();
  });
});
