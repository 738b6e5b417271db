import { describe, expect, it } from 'vitest';
import {
  deviceFamilies,
  deviceModelName,
  familyOf,
  firmwareEndings,
  firmwareFormatOf,
  modelsOf,
  moreDeviceModels,
} from './build-rules.ts';
import { NewBuild } from './new-build.ts';
import { deviceModels } from './release-rules.ts';
import { NewProject, ProjectSummary } from './releases.ts';

const allModels = deviceFamilies.flatMap((family) => [...modelsOf(family)]);
const faultOf = (build: unknown) => NewBuild.safeParse(build).error?.issues[0]?.message ?? null;
const build = { deviceModel: 'esp32c5', files: [{ index: 0, offset: '0x0' }] };

describe('device models', () => {
  it('begin with the specified ten of each family, in their order', () => {
    expect(modelsOf('esp').slice(0, 5)).toEqual(deviceModels.esp);
    expect(modelsOf('stm').slice(0, 5)).toEqual(deviceModels.stm);
  });

  it('are unique, have a name each, and belong to one family', () => {
    expect(new Set(allModels).size).toBe(allModels.length);
    expect(new Set(allModels.map(deviceModelName)).size).toBe(allModels.length);
    expect(familyOf('nrf52840')).toBe('nrf');
    expect(familyOf('esp8266')).toBe('esp');
    expect(familyOf('stm32f')).toBe('stm');
    expect(familyOf('uno')).toBe('avr');
    expect(familyOf('toString')).toBeNull();
  });

  it('have the spelling of their vendors, of which some follow from the key', () => {
    expect(
      (['stm32f', 'stm32wb', 'nrf54l15', 'atmega328pb', 'mega2560', 'esp32c61'] as const).map(deviceModelName),
    ).toEqual(['STM32F', 'STM32WB', 'nRF54L15', 'ATmega328PB', 'Arduino Mega 2560', 'ESP32-C61']);
  });

  it.each(allModels)('lets a project be for %s', (deviceModel) => {
    const deviceFamily = familyOf(deviceModel) ?? 'esp';
    expect(NewProject.safeParse({ name: 'Project', deviceFamily, deviceModel }).success).toBe(true);
    expect(ProjectSummary.shape.deviceModel.safeParse(deviceModel).success).toBe(true);
  });

  it('of STM32 series begin with a specified model, so that the series is covered by it', () => {
    for (const model of moreDeviceModels.stm) {
      expect(
        deviceModels.stm.some((specified) => model.startsWith(specified)),
        model,
      ).toBe(true);
    }
  });
});

describe('a sent build', () => {
  it('may leave out its family and its guards', () => {
    expect(NewBuild.parse(build)).toEqual({ ...build, guards: {} });
  });

  it('is refused for an unknown model, and for a model of another family', () => {
    expect(faultOf({ ...build, deviceModel: 'esp32x9' })).toMatch(/^Device model must be one of esp32, .*nrf52840/);
    expect(faultOf({ ...build, deviceFamily: 'stm' })).toMatch(/^Device model must be one of stm32f, .*stm32wl$/);
    expect(faultOf({ ...build, deviceModel: '' })).toBe('Device model is required');
  });

  it('is refused with more than eight files, and with an index that is no place of a file', () => {
    const files = Array.from({ length: 9 }, (_, index) => ({ index, offset: '0x0' }));
    expect(faultOf({ ...build, files })).toBe('A build can have at most 8 files');
    for (const index of [-1, 0.5, '0']) {
      expect(faultOf({ ...build, files: [{ index }] }), String(index)).toMatch(/^index must be/);
    }
  });

  it.each([
    ['flashSize', 0],
    ['flashSize', 1.5],
    ['minRevision', 70_000],
    ['psram', 'yes'],
    ['connection', 'bluetooth'],
    ['colour', 'red'],
  ])('is refused with the guard %s = %s', (name, value) => {
    expect(faultOf({ ...build, guards: { [name]: value } })).not.toBeNull();
  });
});

describe('the format of a file', () => {
  it('follows from the end of its name, without case', () => {
    const endings = Object.entries(firmwareEndings).flatMap(([format, list]) => list.map((end) => [format, end]));
    for (const [format, ending] of endings) {
      expect(firmwareFormatOf(`App${ending?.toUpperCase()}`)).toBe(format);
    }
  });

  it('is unknown for other names', () => {
    expect(['notes.txt', 'bin', 'app.bin.gz', ''].map(firmwareFormatOf)).toEqual([null, null, null, null]);
  });
});
