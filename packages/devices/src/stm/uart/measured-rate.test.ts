import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UartSettings } from '../../wire/link.ts';
import { evenParity, StmHost } from '../testing/stm-host.ts';
import { measuredRate } from './measured-rate.ts';

const highest = 921_600;
const at = (settings: Partial<UartSettings>): UartSettings => ({ ...evenParity, ...settings });

describe('the rate that the bootloader measures', () => {
  it('equals the host’s rate for 0x7F with any parity', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_200, max: highest }),
        fc.constantFrom('none', 'even', 'odd'),
        (baudRate, parity) => {
          expect(measuredRate(0x7f, at({ baudRate, parity }), highest)).toBe(baudRate);
        },
      ),
    );
  });

  it('is wrong for another byte', () => {
    expect(measuredRate(0x3f, evenParity, highest)).toBeCloseTo((115_200 * 7) / 6);
    expect(measuredRate(0x01, at({ baudRate: 9_600 }), highest)).toBe(67_200);
  });

  it('is null for a line without a second falling edge, and beyond the limits', () => {
    expect(measuredRate(0x00, at({ parity: 'none' }), highest)).toBeNull();
    expect(measuredRate(0xff, at({ parity: 'none' }), highest)).toBeNull();
    expect(measuredRate(0x7f, at({ dataBits: 7 }), highest)).toBeNull();
    expect(measuredRate(0x7f, at({ baudRate: 1_199 }), highest)).toBeNull();
    expect(measuredRate(0x7f, at({ baudRate: 1_000_000 }), highest)).toBeNull();
  });
});

describe('a host at its first byte', () => {
  it.each([1_200, 9_600, 57_600, 115_200, 230_400, 921_600])('is understood at %i baud', async (baudRate) => {
    const host = new StmHost({ part: 'stm32f103', content: 'empty' }, { pace: 'wire' });
    host.open(at({ baudRate }));
    host.device.setBoot0(true);
    host.device.pressReset();
    await host.clock.advance(100);
    expect(await host.send([0x7f], 40)).toBe('79');
    expect(await host.send([0x02, 0xfd], 120)).toBe('7901041079');
    expect(host.device.link).toMatchObject({ baudRate, parity: 'even' });
  });

  it('gets no answer to a second 0x7F, and a NACK for the third', async () => {
    const host = new StmHost({ part: 'stm32f103', content: 'empty' });
    expect(await host.connect()).toBe('79');
    expect(await host.send([0x7f])).toBe('');
    expect(await host.send([0x7f])).toBe('1f');
    expect(await host.command(0x02)).toBe('7901041079');
  });

  it('is synchronised without a parity, and its commands are refused', async () => {
    const host = new StmHost({ part: 'stm32f103', content: 'empty' }, { pace: 'wire' });
    expect(await host.connect(at({ parity: 'none' }))).toBe('79');
    await host.send([0x00]);
    expect(await host.send([0xff])).toBe('1f');
  });

  it('is synchronised with odd parity, and receives damaged answers to refused commands', async () => {
    const host = new StmHost({ part: 'stm32f103', content: 'empty' }, { pace: 'wire' });
    expect(await host.connect(at({ parity: 'odd' }))).toBe('');
    await host.send([0x02, 0xfd]);
    expect(host.terminal.errors).toEqual(['parity', 'parity']);
  });

  it('is answered at a wrong rate until a reset if it begins with another byte', async () => {
    const host = new StmHost({ part: 'stm32f103', content: 'empty' }, { pace: 'wire' });
    host.open();
    host.device.setBoot0(true);
    host.device.pressReset();
    await host.clock.advance(100);
    expect(await host.send([0x55], 20)).not.toBe('79');
    expect(await host.send([0x7f], 20)).not.toBe('79');
    host.device.pressReset();
    await host.clock.advance(100);
    expect(await host.send([0x7f])).toBe('79');
  });

  it('is not received before the bootloader has started', async () => {
    const host = new StmHost({ part: 'stm32f407', content: 'empty', powerUp: 'bootloader' });
    host.open();
    await host.clock.advance(80);
    expect(await host.send([0x7f], 1)).toBe('');
    await host.clock.advance(10);
    expect(await host.send([0x7f])).toBe('79');
  });

  it('can be misread by a part with an inaccurate clock', async () => {
    const host = new StmHost({ part: 'stm32f407', content: 'empty', rateError: -6 }, { pace: 'wire' });
    await host.connect();
    expect(await host.command(0x02)).not.toBe('7901041379');
  });
});
