import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { espPage } from '../families/esp/esp-page.ts';
import { dispatch, flasherStore, startFlasher } from '../store/flasher-store.ts';
import { fakeFlasher } from '../testing/fake-flasher.ts';
import { testBoard, testPlan } from '../testing/families.ts';
import { FindingList } from './finding-list.tsx';
import { KeepOrErase } from './keep-or-erase.tsx';

// The worker side never answers, so that the plan of the test stays.
fakeFlasher().mockReturnValue(new Promise(() => undefined));

beforeEach(() => {
  startFlasher(espPage);
  dispatch(1, { type: 'connect', source: { kind: 'demo' } });
  dispatch(1, { type: 'connected', board: testBoard() });
  dispatch(1, { type: 'plan' });
  dispatch(1, { type: 'planned', plan: testPlan });
});
afterEach(cleanup);

describe('warnings for a visitor of a release', () => {
  const what = 'With the new partition table "storage" is not there, not at 0x110000 to 0x12FFFF.';
  const lost = 'Files that the old program stored, 128 KB, will be lost.';
  const plan = (warnings: (typeof testPlan)['warnings']) => ({ ...testPlan, warnings });
  const moved = { code: 'data-moves', files: [], what, remedy: 'Make a backup first.', plain: lost };

  it('say what is lost, with addresses in a fold', () => {
    render(<FindingList plan={plan([moved])} said={[]} visit />);
    expect(screen.getByText(lost)).toBeDefined();
    const fold = screen.getByText('Details').closest('details');
    expect(fold?.open).toBe(false);
    expect(fold?.textContent).toContain('0x110000');
  });

  it('name no address where a sentence has no other words', () => {
    const other = {
      code: 'covers-table',
      files: [],
      what: '"a.bin" overwrites the table at 0x8000.',
      remedy: 'Check.',
    };
    render(<FindingList plan={plan([other])} said={[]} visit />);
    const notice = screen.getByText(/Something about this write is unusual/);
    expect(notice.textContent).not.toContain('0x');
  });

  it('stay exact on the page of the flasher', () => {
    render(<FindingList plan={plan([moved])} said={[]} />);
    expect(screen.getByText(what)).toBeDefined();
    expect(screen.queryByText(lost)).toBeNull();
  });
});

describe('the question about stored settings', () => {
  const own = () => flasherStore().getState().settings.own;

  const planWith = (stored: (typeof testPlan)['stored']) => {
    dispatch(1, { type: 'plan' });
    dispatch(1, { type: 'planned', plan: { ...testPlan, ...(stored !== undefined && { stored }) } });
  };

  it('keeps them unless a person chooses to erase everything', () => {
    planWith({ values: 27, canBeKept: true });
    render(<KeepOrErase />);
    const keep = screen.getByRole<HTMLInputElement>('radio', { name: /^Keep its Wi-Fi and settings/ });
    expect([keep.checked, screen.getByRole('group').textContent]).toEqual([
      true,
      'Stored Wi-Fi and settingsKeep its Wi-Fi and settings27 valuesErase everything firstas new',
    ]);
    fireEvent.click(screen.getByRole('radio', { name: /^Erase everything first/ }));
    expect(own()).toMatchObject({ erase: 'all', keepNvs: false });
    fireEvent.click(keep);
    expect(own()).toMatchObject({ erase: 'needed', keepNvs: true });
  });

  it('says that they cannot be kept if the new program stores them elsewhere', () => {
    planWith({ values: 27, canBeKept: false });
    render(<KeepOrErase />);
    expect(
      screen.getByRole('radio', {
        name: 'Its 27 values cannot be kept: the new program stores them elsewhere.',
      }),
    ).toBeDefined();
  });

  it('is not asked if the board has stored nothing', () => {
    planWith(null);
    render(<KeepOrErase />);
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('is asked without a number if the values were not counted', () => {
    planWith({ values: null, canBeKept: true });
    render(<KeepOrErase />);
    expect(screen.getByRole('group').textContent).not.toContain('value');
    expect(screen.getByRole('radio', { name: 'Keep its Wi-Fi and settings' })).toBeDefined();
  });

  it('is not asked where nothing can be written or erased', () => {
    const refusal = { code: 'wrong-chip', files: [], what: 'No.', remedy: '', overridable: false };
    dispatch(1, { type: 'plan' });
    dispatch(1, { type: 'planned', plan: { ...testPlan, refusals: [refusal] } });
    render(<KeepOrErase />);
    expect(screen.queryByRole('radio')).toBeNull();
  });
});
