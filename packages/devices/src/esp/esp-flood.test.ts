import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { DeviceTerminal } from '../testing/device-terminal.ts';
import { EspDevice } from './esp-device.ts';
import { EspFlood } from './esp-flood.ts';

describe('a board that prints without an end', () => {
  it('does so while its program runs, and not in its ROM', async () => {
    const [clock, flood] = [new VirtualClock(), new EspFlood('program')];
    const device = new EspDevice({ chip: 'esp32', flood });
    const terminal = new DeviceTerminal(device, clock);
    terminal.open();
    await clock.advance(3_000);
    expect(device.state).toBe('running');
    expect(terminal.text).toContain('I (1) sensor: temperature 21.5, humidity 40\r\n');
    device.holdBoot(true);
    device.pressReset();
    await clock.advance(100);
    expect(device.state).toBe('download');
    const { lines } = flood;
    await clock.advance(1_000);
    expect(flood.lines).toBe(lines);
  });

  it('does so in its ROM too where it comes from the wire, fills the wire and no more, and ends when told', async () => {
    const [clock, flood] = [new VirtualClock(), new EspFlood('wire')];
    const device = new EspDevice({ chip: 'esp32', flood, powerUp: 'download' });
    const terminal = new DeviceTerminal(device, clock);
    terminal.open();
    await clock.advance(1_000);
    const before = terminal.text.length;
    await clock.advance(10_000);
    expect(device.state).toBe('download');
    expect(terminal.text.length - before).toBeLessThanOrEqual(115_200);
    expect(terminal.text.length - before).toBeGreaterThan(100_000);
    flood.isOn = false;
    await clock.advance(1_000);
    const { lines } = flood;
    await clock.advance(1_000);
    expect(flood.lines).toBe(lines);
  });
});
