import { describe, expect, it } from 'vitest';
import { espChips } from '../chips/index.ts';
import { type EspChipName, espChipNames } from '../options.ts';
import { EspHost } from '../testing/esp-host.ts';
import { type EspFirmwareOptions, espApplication, espImage } from './image.ts';

function espFirmware({ chip: name, ...about }: EspFirmwareOptions) {
  const chip = espChips[name];
  return espImage(chip, 0x40_0000, espApplication(chip, about));
}

const hello = (chip: EspChipName) =>
  espFirmware({ chip, project: 'hello', version: '2.0.0', text: `Hello from the ${chip}.\r\n` });

describe('an application for demo devices', () => {
  it.each(espChipNames)('says its text on an %s', async (chip) => {
    const factory = new EspHost({ chip });
    const offset = chip.startsWith('esp82') ? 0 : 0x10000;
    const rest = factory.device.flash.read(0, 0x10000);
    const content = [...(offset === 0 ? [] : [{ offset: 0, data: rest }]), { offset, data: hello(chip) }];
    const host = new EspHost({ chip, flash: { content } });
    host.open();
    expect(await host.restart(1_000)).toContain(`Hello from the ${chip}.`);
    expect(host.device.state).toBe('running');
  });

  it('is the same each time, and as long as it was asked for', () => {
    const about = { chip: 'esp32', project: 'a', version: '1', text: '' } as const;
    expect(espFirmware(about)).toEqual(espFirmware(about));
    expect(espFirmware({ ...about, size: 61_440 }).length).toBeGreaterThan(61_440);
  });
});
