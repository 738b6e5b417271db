/** Chips that no recorded row has: old ones, limited ones, and those that refuse requests. */
import type { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { adapterOf } from '../testing/adapters.ts';
import { FakeCh34x } from '../testing/chips/fake-ch34x.ts';
import { FakeCp210x } from '../testing/chips/fake-cp210x.ts';
import { FakeFtdi } from '../testing/chips/fake-ftdi.ts';
import { FakePl2303 } from '../testing/chips/fake-pl2303.ts';
import { portOn } from '../testing/port-fixture.ts';

type Kind = Parameters<typeof adapterOf>[0];
const on = (kind: Kind) => portOn((clock: VirtualClock) => adapterOf(kind, clock));

describe('CH34x', () => {
  it('refuses another frame than 8N1 on a chip without a line register', async () => {
    const { port, run, failure, chip } = on({
      device: 'ch341a',
      chip: (uarts) => new FakeCh34x(uarts, { version: 0x25 }),
    });
    expect(await failure(port.open({ baudRate: 9_600, parity: 'even' }))).toMatch(
      /^NetworkError: .*This CH34x is an old one: it has 8 data bits, no parity and 1 stop bit only\.$/,
    );
    await run(port.open({ baudRate: 9_600 }));
    expect(chip.state()).toMatchObject({ dataBits: 8, stopBits: 1, parity: 'none' });
  });

  it('uses no fact below prescaler 3 on a chip without a break, and says that it has no break', async () => {
    const { port, run, failure, requests } = on({
      device: 'ch340-v31',
      chip: (uarts) => new FakeCh34x(uarts, { hasBreak: false }),
    });
    for (const baudRate of [110, 1_758, 7_031, 110_000]) {
      await run(port.open({ baudRate }));
      const { index = 0 } = requests().findLast(({ value }) => value === 0x1312) ?? {};
      expect((index & 3) === 3 || (index & 4) === 0, `${baudRate}`).toBe(true);
      await run(port.close());
    }
    await run(port.open({ baudRate: 9_600 }));
    expect(await failure(port.setSignals({ break: true }))).toMatch(
      /^NetworkError: .*This CH34x cannot send a break\.$/,
    );
  });
});

describe('CP210x', () => {
  it('has 3,000,000 baud and flow control on a CP2102N', async () => {
    const { port, run, chip } = on({ device: 'cp2102', chip: (uarts) => new FakeCp210x(uarts, 0x20) });
    await run(port.open({ baudRate: 3_000_000, flowControl: 'hardware' }));
    expect(chip.state()).toMatchObject({ rate: 3_000_000, flow: 'hardware', dtr: true, rts: true });
  });

  it('sets the lines of a CP2102N with early firmware alone, and refuses flow control', async () => {
    const { port, run, failure, chip } = on({
      device: 'cp2102',
      chip: (uarts) => new FakeCp210x(uarts, 0x20, [1, 0, 4]),
    });
    expect(await failure(port.open({ baudRate: 9_600, flowControl: 'hardware' }))).toMatch(
      /^NetworkError: .*This CP2102N has no hardware flow control: its firmware is older than 1\.0\.5\.$/,
    );
    await run(port.open({ baudRate: 9_600 }));
    expect(chip.state()).toMatchObject({ dtr: true, rts: true });
  });

  it('takes a chip that refuses its part number for a CP2102', async () => {
    const { port, run, failure, chip } = on({ device: 'cp2102', chip: (uarts) => new FakeCp210x(uarts, 2) });
    chip.in = () => 'stall';
    expect(await failure(port.open({ baudRate: 100_000 }))).toContain('The nearest rate that it has is 115200.');
    await run(port.open({ baudRate: 921_600 }));
    expect(chip.state().rate).toBe(921_600);
  });
});

describe('FTDI', () => {
  it('opens a chip without a latency timer', async () => {
    const { port, run, chip } = on({
      device: 'ft232r',
      descriptor: { deviceVersion: [2, 0, 0] },
      chip: (uarts) => new FakeFtdi(uarts),
    });
    chip.refused.add(9);
    await run(port.open({ baudRate: 9_600 }));
    expect(chip.state()).toMatchObject({ rate: 9_600, isEnabled: true });
    await run(port.close());
  });

  it('restores the latency timer at the close', async () => {
    const { port, run, chip } = portOn('ft232r');
    await run(port.open({ baudRate: 9_600 }));
    expect(chip.state().latency).toBe(1);
    await run(port.close());
    expect(chip.state().latency).toBe(16);
  });
});

describe('PL2303', () => {
  it.each([{ maxPacketSize0: 8 }, { deviceClass: 2 }])('opens one with %o as type H', async (descriptor) => {
    const { port, run, failure, chip, requests } = on({
      device: 'pl2303-hx',
      descriptor,
      chip: (uarts) => new FakePl2303(uarts, 'H'),
    });
    expect(await failure(port.open({ baudRate: 2_000_000 }))).toContain('The nearest rate that it has is 1228800.');
    await run(port.open({ baudRate: 115_200, flowControl: 'hardware' }));
    expect(chip.state()).toMatchObject({ rate: 115_200, flow: 'hardware' });
    expect(requests().some(({ value, index }) => value === 2 && index === 0x24)).toBe(true);
  });

  it.each([
    [3, 'TA', 6_000_000],
    [5, 'TB', 12_000_000],
  ] as const)('tells version %i.00 that answers its register as %s', async (major, type, most) => {
    const { port, run, chip } = on({
      device: 'pl2303-ta',
      descriptor: { deviceVersion: [major, 0, 0] },
      chip: (uarts) => new FakePl2303(uarts, type),
    });
    await run(port.open({ baudRate: most }));
    expect(chip.state().rate).toBe(most);
  });
});

describe('CDC', () => {
  it('opens a board that refuses a rate and lines, because it has no UART', async () => {
    const { port, run, failure, chip } = portOn('cdc-pico');
    chip.refused.add(0x20).add(0x22);
    await run(port.open({ baudRate: 115_200 }));
    expect(await failure(port.setSignals({ dataTerminalReady: true }))).toMatch(/^NetworkError/);
  });
});
