import { endingOf } from '@wirebench/runs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DevicePanel, endingFields, newPanel } from './device-panel.ts';
import { panelFailureText, panelLimitHint } from './panel-failure.ts';
import { addPanel, changePanel, clearTargets, movePanel, type Panels, removePanel, renamePanel } from './panels.ts';

const four: Panels = ['a', 'b', 'c', 'd'].map((id, index) => newPanel(id, `Panel ${index + 1}`));
const ids = (panels: Panels) => panels.map(({ id }) => id).join('');
const names = (panels: Panels) => panels.map(({ name }) => name);
const done = (change: ReturnType<typeof addPanel>) => (change.ok ? change.panels : expect.unreachable(change.code));

describe('panels', () => {
  it('are four at most', () => {
    let panels: Panels = [];
    for (const id of 'abcd') {
      panels = done(addPanel(panels, id));
    }
    expect(names(panels)).toEqual(['Panel 1', 'Panel 2', 'Panel 3', 'Panel 4']);
    const refused = addPanel(panels, 'e');
    expect(refused).toEqual({ ok: false, code: 'panel-limit' });
    expect(panelFailureText['panel-limit']).toBe('Maximum of 4 device panels reached. Cannot add more panels.');
    expect(panelLimitHint).toBe('Maximum of 4 devices allowed');
  });

  it('take the first free name', () => {
    const without2 = done(removePanel(four, 'b'));
    expect(names(done(addPanel(without2, 'e')))).toEqual(['Panel 1', 'Panel 3', 'Panel 4', 'Panel 2']);
  });

  it('are renamed; an empty name falls back to a free one', () => {
    expect(names(done(renamePanel(four, 'b', '  GNSS setup ')))[1]).toBe('GNSS setup');
    expect(names(done(renamePanel(four, 'b', '   ')))[1]).toBe('Panel 2');
    expect(names(done(renamePanel(four, 'b', 'x'.repeat(100))))[1]).toBe('x'.repeat(32));
  });

  it('are moved, and stay at an end when moved beyond it', () => {
    expect(ids(done(movePanel(four, 'c', 0)))).toBe('cabd');
    expect(ids(done(movePanel(four, 'a', 2)))).toBe('bcad');
    expect(ids(done(movePanel(four, 'a', -1)))).toBe('abcd');
    expect(ids(done(movePanel(four, 'd', 9)))).toBe('abcd');
  });

  it('cannot be changed after they were removed', () => {
    const change = (panel: DevicePanel) => ({ ...panel, collapsed: true });
    for (const refused of [
      removePanel(four, 'x'),
      renamePanel(four, 'x', 'y'),
      movePanel(four, 'x', 0),
      changePanel(four, 'x', change),
    ]) {
      expect(refused).toEqual({ ok: false, code: 'panel-not-found' });
    }
    expect(panelFailureText['panel-not-found']).toBe('Device panel not found');
  });

  it('lose their target when its port is gone, and no other', () => {
    const aimed = four.map(
      (panel, index): DevicePanel => ({ ...panel, pinnedTargetPort: ([1, 2, 1, -1] as const)[index] ?? -1 }),
    );
    const { panels, cleared } = clearTargets(aimed, new Set([1]));
    expect(panels.map(({ pinnedTargetPort }) => pinnedTargetPort)).toEqual([-1, 2, -1, -1]);
    expect(ids(cleared)).toBe('ac');
  });

  it('keep every panel, once, however they are moved', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: -2, max: 6 }))), (moves) => {
        const after = moves.reduce((panels, [id, index]) => done(movePanel(panels, id, index)), four);
        expect([...after].sort((x, y) => x.id.localeCompare(y.id))).toEqual(four);
      }),
    );
  });
});

describe('line ending', () => {
  it('is LF for false and CRLF for true', () => {
    expect(endingOf({ lineEnding: false, ending: null })).toBe('lf');
    expect(endingOf({ lineEnding: true, ending: null })).toBe('crlf');
  });

  it('is what was chosen', () => {
    for (const chosen of ['none', 'lf', 'cr', 'crlf'] as const) {
      for (const lineEnding of [false, true]) {
        expect(endingOf(endingFields(chosen, { lineEnding }))).toBe(chosen);
      }
    }
    expect(endingFields('cr', { lineEnding: true })).toEqual({ lineEnding: true, ending: 'cr' });
  });
});
