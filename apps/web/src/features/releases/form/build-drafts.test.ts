import type { DeviceModel } from '@wirebench/boards';
import { describe, expect, it } from 'vitest';
import {
  addBuild,
  addBuildFiles,
  anyBoard,
  buildFaults,
  buildsFault,
  changeBuild,
  copyBuild,
  isSimpleForm,
  placedBuilds,
  readRevision,
  removeBuild,
  sentGuards,
  setModel,
  takeProposals,
  targetOf,
} from './build-drafts.ts';
import { addFiles, emptyDraft, removeRow, shownRows, type VersionDraft } from './version-draft.ts';

const project = { deviceFamily: 'esp', deviceModel: 'esp32s3' } as const;
const bin = (name: string) => new File([new Uint8Array(16)], name);
const chosen = (...names: string[]) => names.map((name) => ({ file: bin(name), offset: null }));
const shown = (draft: VersionDraft) =>
  draft.builds.map((build) => {
    const target = targetOf(build, project);
    const rows = { rows: build.rows, nextRowId: draft.nextRowId };
    return { ...build, target, shown: shownRows(rows, target, new Map(), 8) };
  });
const proposal = (deviceModel: DeviceModel | null, ...names: string[]) => ({
  deviceModel,
  guards: {},
  files: chosen(...names),
  elf: null,
});
const models = ({ builds }: VersionDraft) => builds.map(({ deviceModel }) => deviceModel);
const names = (draft: VersionDraft) => draft.builds.map(({ rows }) => rows.map(({ file }) => file?.name));

describe('builds of a draft', () => {
  it('begin with the files of the simple form, and end in it', () => {
    const simple = addFiles(emptyDraft, chosen('a.bin')).draft;
    const two = addBuild(simple, project);
    expect(models(two)).toEqual(['esp32s3', '']);
    expect(names(two)).toEqual([['a.bin'], []]);
    const one = removeBuild(two, two.builds[1]?.id ?? 0, project);
    expect(one.builds).toEqual([]);
    expect(one.rows.map(({ file }) => file?.name)).toEqual(['a.bin']);
  });

  it('take the ELF file of the simple form along, and give it back', () => {
    const elf = new File(['ELF'], 'app.elf');
    const two = addBuild({ ...addFiles(emptyDraft, chosen('a.bin')).draft, elf }, project);
    expect([two.elf, ...two.builds.map((build) => build.elf)]).toEqual([null, elf, null]);
    const one = removeBuild(two, two.builds[1]?.id ?? 0, project);
    expect([one.elf, one.builds]).toEqual([elf, []]);
    const other = new File(['ELF'], 'other.elf');
    const beside = takeProposals(one, [{ ...proposal('esp32c3', 'c3.bin'), elf: other }], project).draft;
    expect([beside.elf, ...beside.builds.map((build) => build.elf)]).toEqual([null, elf, other]);
    const again = takeProposals(beside, [{ ...proposal('esp32c3', 'new.bin'), elf: null }], project).draft;
    expect(again.builds.map((build) => build.elf)).toEqual([elf, null]);
    const avr = setModel(again, again.builds[0]?.id ?? 0, 'uno');
    expect(placedBuilds(shown(avr), project).map((build) => build.elf)).toEqual([null, null]);
  });

  it('stay builds while the simple form has no field for the last one', () => {
    const taken = takeProposals(emptyDraft, [proposal('esp32c3', 'a.bin'), proposal('esp32s3', 'b.bin')], project);
    const left = removeBuild(taken.draft, taken.draft.builds[1]?.id ?? 0, project);
    expect(models(left)).toEqual(['esp32c3']);
    expect(removeBuild(left, left.builds[0]?.id ?? 0, project)).toMatchObject({ builds: [], rows: [] });
  });

  it('accept sixteen files of all formats, refuse others with the reason, and cannot be published with more', () => {
    const draft = addBuild(emptyDraft, project);
    const id = draft.builds[0]?.id ?? 0;
    const more = Array.from({ length: 8 }, (_, index) => `more-${index}.bin`);
    const { draft: full, refusal } = addBuildFiles(
      draft,
      id,
      chosen('a.bin', 'b.hex', 'c.uf2', 'd.zip', 'e.elf', 'f.dfu', 'g.s19', 'h.bin', 'i.bin', 'notes.txt', ...more),
    );
    expect(full.builds[0]?.rows).toHaveLength(17);
    expect(buildFaults(shown(full), project)[0]?.files).toBe('A build can have at most 16 files: remove 1.');
    expect(refusal).toBe(
      '"notes.txt" has no ending of a firmware file: .bin, .hex, .eep, .srec, .uf2, .elf, .dfu or .zip. A build can have at most 16 files: remove 1.',
    );
    const rows = shown(full)[0]?.shown ?? [];
    expect(rows.slice(0, 3).map(({ offset, hasAddresses }) => [offset, hasAddresses])).toEqual([
      ['0x10000', false],
      ['', true],
      ['', true],
    ]);
    expect(rows).toHaveLength(17);
  });

  it('have rows with numbers of their own', () => {
    let draft = addBuild(emptyDraft, project);
    for (const { id } of draft.builds) {
      ({ draft } = addBuildFiles(draft, id, chosen('a.bin', 'b.bin')));
    }
    draft = copyBuild(draft, draft.builds[0]?.id ?? 0);
    const ids = draft.builds.flatMap(({ id, rows }) => [id, ...rows.map((row) => row.id)]);
    expect(new Set(ids).size).toBe(ids.length);
    const [first, second] = draft.builds;
    const without = changeBuild(draft, second?.id ?? 0, (build) => removeRow(build, second?.rows[0]?.id ?? 0));
    expect(names(without).map((rows) => rows.length)).toEqual([2, 1, 2]);
    expect(without.builds[0]).toEqual(first);
  });

  it('lose the guards that their chip does not have', () => {
    const draft = addBuild(emptyDraft, project);
    const id = draft.builds[0]?.id ?? 0;
    const guards = { flashSize: 1_048_576, psram: true, minRevision: '1.0', connection: 'usb' } as const;
    const guarded = changeBuild(draft, id, (build) => ({ ...build, guards }));
    expect(setModel(guarded, id, 'esp32').builds[0]?.guards).toEqual(guards);
    expect(setModel(guarded, id, 'stm32g').builds[0]?.guards).toEqual({ ...guards, psram: null, minRevision: '' });
    expect(setModel(guarded, id, 'nrf52840').builds[0]?.guards).toEqual({ ...guards, psram: null, minRevision: '' });
    expect(setModel(guarded, id, '').builds[0]?.guards).toEqual(anyBoard);
  });
});

describe('proposals', () => {
  it('replace the simple form if they are one build for the project', () => {
    const before = addFiles(emptyDraft, chosen('old.bin')).draft;
    const { draft } = takeProposals(before, [proposal(null, 'new.bin')], project);
    expect([draft.builds, draft.rows.map(({ file }) => file?.name)]).toEqual([[], ['new.bin']]);
  });

  it('join the files of the simple form if they are for another chip', () => {
    const before = addFiles(emptyDraft, chosen('s3.bin')).draft;
    const { draft } = takeProposals(before, [proposal('esp32c3', 'c3.bin')], project);
    expect([models(draft), names(draft)]).toEqual([
      ['esp32s3', 'esp32c3'],
      [['s3.bin'], ['c3.bin']],
    ]);
  });

  it('replace the build with the same chip and guards, and are appended otherwise', () => {
    const first = takeProposals(emptyDraft, [proposal('esp32s3', 'a.bin'), proposal('esp32', 'b.bin')], project).draft;
    const large = { ...proposal('esp32', 'c.bin'), guards: { flashSize: 16 * 1_048_576 } };
    const { draft } = takeProposals(first, [proposal('esp32', 'd.bin'), large], project);
    expect([models(draft), names(draft)]).toEqual([
      ['esp32s3', 'esp32', 'esp32'],
      [['a.bin'], ['d.bin'], ['c.bin']],
    ]);
    expect(draft.builds.map(({ guards }) => sentGuards(guards))).toEqual([{}, {}, { flashSize: 16 * 1_048_576 }]);
  });
});

it('a folder fills the empty card, and a second one makes a card of its own', () => {
  const empty = addBuild(addFiles(emptyDraft, chosen('a.bin')).draft, project);
  const one = takeProposals(empty, [proposal('esp32c3', 'c3.bin')], project).draft;
  expect([models(one), names(one)]).toEqual([
    ['esp32s3', 'esp32c3'],
    [['a.bin'], ['c3.bin']],
  ]);
  const two = takeProposals(one, [proposal('esp32', 'b.bin')], project).draft;
  expect(models(two)).toEqual(['esp32s3', 'esp32c3', 'esp32']);
});

it('proposals without a chip do not replace each other', () => {
  const { draft } = takeProposals(emptyDraft, [proposal(null, 'a.hex'), proposal(null, 'b.hex')], project);
  expect([models(draft), names(draft)]).toEqual([
    ['', ''],
    [['a.hex'], ['b.hex']],
  ]);
});

describe('faults of builds', () => {
  const drafted = (...proposals: ReturnType<typeof proposal>[]) => takeProposals(emptyDraft, proposals, project).draft;

  it('are at the build that has them, with a remedy', () => {
    const one = addBuild(drafted(proposal('esp32s3', 'a.bin')), project);
    const draft = addBuildFiles(one, one.builds[1]?.id ?? 0, chosen('b.bin')).draft;
    const faults = buildFaults(shown(draft), project);
    expect(faults[0]).toEqual({ model: null, revision: null, files: null });
    expect(faults[1]?.model).toBe('Choose the chip that these files are for.');
  });

  it('are empty for an empty card, which is not uploaded', () => {
    const draft = addBuild(drafted(proposal('esp32s3', 'a.bin')), project);
    expect(models(draft)).toEqual(['esp32s3', '']);
    expect(buildFaults(shown(draft), project)[1]).toEqual({ model: null, revision: null, files: null });
    expect(buildsFault(draft.builds, project, 1)).toBeNull();
    expect(placedBuilds(shown(draft), project).map(({ deviceModel }) => deviceModel)).toEqual(['esp32s3']);
  });

  it('appear if all cards are empty', () => {
    const draft = addBuild(emptyDraft, project);
    expect(buildFaults(shown(draft), project).map(({ model }) => model)).toEqual([
      null,
      'Choose the chip that these files are for.',
    ]);
  });

  it('name two builds for the same boards, and an empty one', () => {
    const draft = drafted(proposal('esp32s3', 'a.bin'), proposal('esp32', 'b.bin'));
    const twice = setModel(draft, draft.builds[1]?.id ?? 0, 'esp32s3');
    expect(buildFaults(shown(twice), project)[1]?.files).toBe(
      'Two builds are for ESP32-S3 under the same conditions. Give one of them a condition, or put their files together.',
    );
    const empty = setModel(addBuild(draft, project), draft.nextRowId + 1, 'esp8266');
    expect(buildFaults(shown(empty), project)[2]?.files).toBe(
      'The build for ESP8266 has no file. Choose its files, or remove the build.',
    );
  });

  it('name a revision that cannot be read', () => {
    expect([readRevision('3.1'), readRevision(' v1 '), readRevision('1.'), readRevision('new')]).toEqual([
      301,
      100,
      null,
      null,
    ]);
    const draft = addBuild(emptyDraft, project);
    const id = draft.builds[0]?.id ?? 0;
    const typed = changeBuild(draft, id, (build) => ({ ...build, guards: { ...anyBoard, minRevision: 'new' } }));
    expect(buildFaults(shown(typed), project)[0]?.revision).toBe(
      'A revision is two numbers with a point, such as 3.1.',
    );
  });

  it('are too many builds, and none for the chip of the project', () => {
    const draft = drafted(proposal('esp32', 'a.bin'), proposal('esp32c3', 'b.bin'));
    expect(buildsFault(draft.builds, project, 1)).toBe('A version can have at most 1 builds. Remove 1.');
    expect(buildsFault(draft.builds, project, 8)).toBe(
      'One of the builds must be for ESP32-S3, the device model of this project. Add it, or create a project for another model.',
    );
    expect(buildsFault(draft.builds, { deviceFamily: 'esp', deviceModel: 'esp32' }, 8)).toBeNull();
  });
});

describe('builds that are uploaded', () => {
  it('are null if the simple form can describe them', () => {
    const one = addBuild(addFiles(emptyDraft, chosen('a.bin')).draft, project);
    const only = { ...one, builds: one.builds.slice(0, 1) };
    expect(isSimpleForm(shown(only), project)).toBe(true);
    const guarded = changeBuild(only, only.builds[0]?.id ?? 0, (build) => ({
      ...build,
      guards: { ...anyBoard, psram: true },
    }));
    expect(isSimpleForm(shown(guarded), project)).toBe(false);
    expect(placedBuilds(shown(guarded), project)).toMatchObject([{ deviceModel: 'esp32s3', guards: { psram: true } }]);
  });

  it('begin with the model of the project', () => {
    const { draft } = takeProposals(emptyDraft, [proposal('esp32', 'a.bin'), proposal('esp32s3', 'b.hex')], project);
    const placed = placedBuilds(shown(draft), project);
    expect(placed.map(({ deviceModel, files }) => [deviceModel, files.map(({ offset }) => offset)])).toEqual([
      ['esp32s3', ['']],
      ['esp32', ['0x10000']],
    ]);
  });
});
