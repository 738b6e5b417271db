import { describe, expect, it } from 'vitest';
import type { PlanFacts } from '../../../protocol/flash-protocol.ts';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { writeList } from '../files/write-list.ts';
import { type FlashState, initialFlash } from '../state/flash-state.ts';
import type { PlannedChange } from '../store/board-changes.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import type { AnswerFacts } from './answer-facts.ts';
import { canWrite } from './plan-answers.ts';
import { answerView } from './use-answer.ts';

const report = testReport({ written: 2_048 });
const sha256 = 'c'.repeat(64);
const app = {
  id: 1,
  name: 'app.bin',
  size: 4_096,
  what: 'App',
  offset: 0x10000,
  why: '',
  places: null,
  application: null,
  sha256,
};
const plan: PlanFacts = {
  refusals: [],
  overridden: [],
  warnings: [],
  eraseAll: false,
  map: [
    { name: 'nvs', offset: 0x9000, length: 0x6000, fate: 'kept' },
    { name: 'factory', offset: 0x10000, length: 0x1000, fate: 'written' },
    { name: 'factory', offset: 0x11000, length: 0xf000, fate: 'kept' },
  ],
  regions: [{ offset: 0x10000, length: 0x1000, file: 'app.bin', same: false }],
  toWrite: 4_096,
  same: 0,
  duration: 14_000,
};
const keys: PlannedChange = {
  change: { name: 'nvs', range: { offset: 0x9000, length: 0x6000 }, basis: null, erases: [], writes: [] },
  what: '3 changed keys',
  count: 3,
  entries: [],
  note: null,
  draft: null,
};

const eraseAll: PlannedChange = {
  change: { name: 'whole flash', range: { offset: 0, length: 0x40_0000 }, basis: null, erases: [], writes: [] },
  what: 'the erase of all 4 MB',
  erased: 'all 4 MB',
  isWholeErase: true,
  count: 1,
  entries: [],
  note: null,
  draft: null,
};

interface Given extends Partial<Omit<AnswerFacts, 'flash' | 'list'>> {
  readonly flash: Partial<FlashState>;
  readonly chips?: readonly (string | null)[];
}

function facts({ flash, chips = [null], ...others }: Given): AnswerFacts {
  const files = chips.map((chip, index) => ({
    ...app,
    id: index + 1,
    name: `app-${index}.bin`,
    offset: 0x10000 * (index + 1),
    ...(chip !== null && { chip }),
  }));
  return {
    flash: { ...initialFlash, board: testBoard(), ...flash },
    list: writeList(files, {}, testFamily.addresses),
    changes: [],
    family: testFamily,
    receipt: null,
    monitorBaudRate: 115_200,
    batchMode: false,
    changed: [],
    ...others,
  };
}

const answer = (given: Given) => answerView(facts(given));

describe('the answer', () => {
  it('says what a plan writes, how long it takes, and what is kept as a whole', () => {
    expect(answer({ flash: { phase: 'planned', plan } })).toMatchObject({
      tag: 'Plan',
      title: 'Write 1 file, 4.0 KB',
      text: 'About 14 s. Stored settings (nvs) are kept.',
      label: 'Write 1 file',
      primary: true,
    });
  });

  it('names what stays where everything else is erased', () => {
    const nvs = { offset: 0x9000, length: 0x6000, name: 'nvs', fate: 'restored', file: null } as const;
    const erased = { ...plan, eraseAll: true, map: [nvs] };
    expect(answer({ flash: { phase: 'planned', plan: erased } }).text).toBe(
      'About 14 s. All flash except the stored settings (nvs) is erased first.',
    );
    expect(answer({ flash: { phase: 'planned', plan: { ...erased, map: [{ ...nvs, fate: 'erased' }] } } }).text).toBe(
      'About 14 s. The whole flash is erased first.',
    );
  });

  it('counts changes to the board beside the files, and alone', () => {
    const flash = { phase: 'planned', plan } as const;
    expect(answer({ flash, changes: [keys] })).toMatchObject({
      title: 'Write 1 file and 3 changed keys',
      label: 'Write 1 file and 3 changes',
    });
    expect(answer({ flash, changes: [keys], chips: [] })).toMatchObject({
      title: 'Write 3 changed keys to nvs',
      label: 'Write 3 changes',
    });
    expect(canWrite(facts({ flash, changes: [keys], chips: [] }))).toBe(true);
  });

  it('plans an erase of the whole board in red, and names what is empty already', () => {
    const erasing = { ...plan, map: [], regions: [{ ...plan.regions[0], same: true }] } as PlanFacts;
    const given = { changes: [eraseAll], chips: [] };
    expect(answer({ flash: { phase: 'planned', plan: { ...erasing, same: 2_097_152 } }, ...given })).toMatchObject({
      title: 'Erase all 4 MB',
      text: 'About 14 s. 2.0 MB is empty already.',
      label: 'Erase all 4 MB',
      danger: true,
      asks: true,
    });
    expect(
      answer({ flash: { phase: 'planned', plan: { ...erasing, toWrite: 0, same: 4_194_304 } }, ...given }).text,
    ).toBe('All 4.0 MB is empty already: nothing needs to be erased.');
    expect(answer({ flash: { phase: 'running' }, ...given })).toMatchObject({ label: 'Erase all 4 MB', asks: true });
  });

  it('names an erase of some areas by them, and does not ask for it', () => {
    const erase = (name: string): PlannedChange => ({
      ...keys,
      change: { ...keys.change, name },
      what: `the erase of ${name}`,
      erased: name,
      count: 1,
    });
    const both = answer({ flash: { phase: 'planned', plan }, changes: [erase('nvs'), erase('coredump')], chips: [] });
    expect(both).toMatchObject({ title: 'Erase nvs and coredump', label: 'Erase nvs and coredump', danger: true });
    expect(both.asks).toBeUndefined();
    expect(answer({ flash: { phase: 'planned', plan }, changes: [erase('nvs'), keys], chips: [] }).label).toBe(
      'Write 4 changes',
    );
  });

  it('calls the result of an erase erased, not written', () => {
    const flash = {
      phase: 'done',
      report: { ...report, written: 786_432, same: 3_407_872 },
      emptied: 'all 4 MB',
    } as const;
    const written = { at: 0, before: [], changes: [eraseAll] };
    expect(answer({ flash, written, chips: [] })).toMatchObject({ tag: 'Done', title: 'Erased and checked' });
    expect(answer({ flash, written, chips: [] }).text).toMatch(
      /^768\.0 KB erased, 3\.3 MB was empty already\. The board does not start again until firmware is written to it\./,
    );
  });

  it('names the settings that a merged image leaves on the board, also where the table changes', () => {
    const map = [
      { name: null, offset: 0x1000, length: 0x8000, fate: 'written' as const },
      { name: 'nvs', offset: 0x9000, length: 0x4000, fate: 'kept' as const },
      { name: 'nvs', offset: 0xd000, length: 0x2000, fate: 'written' as const },
    ];
    expect(
      answer({ flash: { phase: 'planned', plan: { ...plan, map, stored: { values: 3, canBeKept: true } } } }).text,
    ).toBe('About 14 s. Stored settings (nvs) are kept.');
  });

  it('is done where a program prints nothing, unless its file says that it prints', () => {
    const startObservation = { verdict: { kind: 'silence' }, waited: true } as const;
    const quiet = answer({ flash: { phase: 'done', report, startObservation } });
    expect(quiet).toMatchObject({ tag: 'Done', tone: 'good' });
    expect(quiet.text).toContain('The board was restarted. It has printed nothing, as some programs do.');
    const prints = answer({
      flash: { phase: 'done', report, startObservation: { ...startObservation, prints: 'the banner of Zephyr' } },
    });
    expect(prints).toMatchObject({ tag: 'Done, but', tone: 'warning' });
    expect(prints.text).toContain('has printed nothing, though its file holds the banner of Zephyr.');
  });

  it('says that a board did not come back after its restart', () => {
    const startObservation = { verdict: { kind: 'absent' }, waited: true } as const;
    const gone = (part: object) =>
      answer({ flash: { phase: 'done', report, startObservation: { ...startObservation, ...part } } });
    expect(gone({ cannotStart: 'Its vector table points nowhere.' })).toMatchObject({
      tag: 'Done, but',
      tone: 'warning',
    });
    expect(gone({ cannotStart: 'Its vector table points nowhere.' }).text).toContain(
      'The board did not come back: what was written cannot start on it.',
    );
    expect(gone({ prints: 'MicroPython' }).text).toContain('though its file holds MicroPython.');
    expect(gone({})).toMatchObject({ tag: 'Done', tone: 'good' });
  });

  it('says once that files are for another chip, also while the board runs its program', () => {
    const wrong = { title: 'These files are for ESP32-C3, this board is an ESP32', tag: 'Not possible' };
    for (const phase of ['running', 'planned', 'detected'] as const) {
      const given = { flash: { phase }, chips: ['ESP32-C3', null, 'ESP32-C3'] };
      expect(answer(given), phase).toMatchObject(wrong);
      expect(canWrite(facts(given)), phase).toBe(false);
    }
  });

  it('writes from a board that runs its program, but not from one that has failed', () => {
    expect(canWrite(facts({ flash: { phase: 'running' } }))).toBe(true);
    expect(canWrite(facts({ flash: { phase: 'failed' } }))).toBe(false);
  });

  it('names a backup by its file, and says that nothing is changed', () => {
    const work = { kind: 'read', label: 'Backing up to 24.bin', done: 38, total: 100 } as const;
    expect(answer({ flash: { phase: 'working', work } })).toMatchObject({
      tag: 'Backing up',
      title: 'Backing up to 24.bin',
      numbers: [{ label: 'Done', value: '38', unit: '%' }],
      action: 'stop',
    });
  });

  it('makes the remedy the main button where the board would not start', () => {
    const warning = {
      code: 'not-a-bootloader',
      files: ['app.bin'],
      what: 'It is not one.',
      remedy: 'Check its offset.',
    };
    expect(answer({ flash: { phase: 'planned', plan: { ...plan, warnings: [warning] } } })).toMatchObject({
      title: 'It is not one',
      text: 'Check its offset.',
      action: 'open-offset',
      says: [warning],
    });
  });

  it('says what was verified, and does not call unverified bytes verified', () => {
    const done = (part: Partial<typeof report>) => answer({ flash: { phase: 'done', report: { ...report, ...part } } });
    expect(done({})).toMatchObject({ tag: 'Done', title: 'Written and verified' });
    expect(done({}).text).toContain('2.0 KB written.');
    expect(done({ state: 'unverified' })).toMatchObject({ tag: 'Done, but', title: 'Written, not verified' });
    expect(done({ written: 0, same: 2_048 })).toMatchObject({ title: 'Nothing to write' });
  });

  it('says that the program runs only once it was heard', () => {
    const heard = (startObservation: FlashState['startObservation']) =>
      answer({ flash: { phase: 'done', report, startObservation } }).text;
    expect(heard(null)).not.toContain('runs');
    expect(heard({ verdict: { kind: 'silence' }, waited: false })).not.toContain('runs');
    expect(heard({ verdict: { kind: 'app', project: 'weather-node', version: '1.4.0' }, waited: false })).toContain(
      'The board restarted and runs weather-node 1.4.0.',
    );
  });

  it.each([
    ['changed', 'app.bin has changed since you chose it'],
    ['gone', 'app.bin is not there any more'],
    ['refused', 'The page may not read app.bin any more'],
    ['busy', 'app.bin is being written by another program'],
  ] as const)('names a file that is %s, and offers one way on', (code, title) => {
    for (const phase of ['none', 'planned', 'running', 'failed'] as const) {
      expect(answer({ flash: { phase, plan }, fileFaults: [{ name: 'build/app.bin', code }] }), phase).toMatchObject({
        tag: 'Not possible',
        title,
        action: 'choose-again',
        label: 'Choose it again',
      });
    }
  });

  it('takes a change out of the plan whose file has changed', () => {
    const restore = { ...keys, madeFrom: [{ name: 'nvs.bin', content: new Blob() }] };
    const fileFaults = [{ name: 'nvs.bin', code: 'changed' }] as const;
    expect(answer({ flash: { phase: 'planned', plan }, changes: [restore], fileFaults })).toMatchObject({
      title: 'nvs.bin has changed since you chose it',
      action: 'drop-change',
      label: 'Remove it from the plan',
    });
  });

  it('asks for a decision when the newest build has changed the plan', () => {
    const changed = [{ name: 'app.bin', at: new Date(2026, 10, 27, 14, 31).getTime() }];
    const view = answer({ flash: { phase: 'planned', plan, held: true }, changed });
    expect(view).toMatchObject({ tag: 'Your decision', tone: 'warning', action: 'write' });
    expect(view.text).toMatch(/^app\.bin was built again at 14:31\. Nothing was written yet/);
  });

  it('says why a write that takes files of the board waits, and that it saves them first', () => {
    const area = 'the files of MicroPython (LittleFS)';
    const map = [{ name: area, offset: 0, length: 1, fate: 'kept' as const }];
    const taking = { ...plan, map, saved: [{ file: 'files.zip', area, isPutBack: true }] };
    const heldText = 'The files of the board could not be saved. No room.';
    const waits = answer({ flash: { phase: 'planned', plan: taking, held: true, heldText } });
    expect(waits).toMatchObject({ tag: 'Your decision', tone: 'warning', action: 'write' });
    expect(waits.text).toMatch(/^Nothing was written yet\. The files of the board could not be saved\. No room\. /);
    expect(waits.text).toContain('The files of MicroPython (LittleFS) are saved first, and put back.');
    expect(waits.text).not.toContain('are kept');
    expect(answer({ flash: { phase: 'planned', plan: { ...plan, map, saved: [] } } }).text).toContain(
      'The files of MicroPython (LittleFS) are kept.',
    );
  });
});
