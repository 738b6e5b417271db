import { familyIds, familyOf, modelsOf } from '@wirebench/boards';
import { describe, expect, it } from 'vitest';
import { firmwareEndings, firmwareFormatOf } from './build-rules.ts';
import { NewBuild } from './new-version.ts';
import { NewProject } from './release-bodies.ts';
import { ProjectSummary } from './releases.ts';

const allModels = familyIds.flatMap((family) => [...modelsOf(family)]);
const faultOf = (build: unknown) => NewBuild.safeParse(build).error?.issues[0]?.message ?? null;
const build = { deviceModel: 'esp32c5', files: [{ index: 0, offset: '0x0' }] };

describe('device models', () => {
  it.each(allModels)('lets a project be for %s', (deviceModel) => {
    const deviceFamily = familyOf(deviceModel) ?? 'esp';
    expect(NewProject.safeParse({ name: 'Project', deviceFamily, deviceModel }).success).toBe(true);
    expect(ProjectSummary.shape.deviceModel.safeParse(deviceModel).success).toBe(true);
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

  it('is refused with more than sixteen files, and with an index outside its files', () => {
    const files = Array.from({ length: 17 }, (_, index) => ({ index, offset: '0x0' }));
    expect(faultOf({ ...build, files })).toBe('A build can have at most 16 files');
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
