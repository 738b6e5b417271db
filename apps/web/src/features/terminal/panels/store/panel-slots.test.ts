import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TextStorage } from '../../../../shared/storage/browser-storage.ts';
import type { DevicePanel } from '../model/device-panel.ts';
import { addMessage } from '../model/messages.ts';
import { addPanel, movePanel, type Panels, type PanelsChange, removePanel, renamePanel } from '../model/panels.ts';
import { PanelSlots } from './panel-slots.ts';

/** A storage shared by several tabs. A tab receives the writes of the others when the test calls `receiveWrites`. */
class SharedStorage {
  readonly items = new Map<string, string>();
  readonly tabs: Tab[] = [];
  writes = 0;
  readonly #everWritten: string[] = [];

  wrote(panelId: string): boolean {
    return this.#everWritten.some((text) => text.includes(JSON.stringify(panelId)));
  }

  of(tab: Tab): TextStorage {
    const tell = (key: string) => {
      this.writes++;
      for (const other of this.tabs) {
        if (other !== tab) {
          other.unreceived.push(key);
        }
      }
    };
    return {
      getItem: (key) => this.items.get(key) ?? null,
      setItem: (key, value) => {
        this.items.set(key, value);
        this.#everWritten.push(value);
        tell(key);
      },
      removeItem: (key) => {
        this.items.delete(key);
        tell(key);
      },
    };
  }
}

class Tab {
  readonly unreceived: string[] = [];
  readonly slots: PanelSlots;
  panels: Panels;

  constructor(storage: SharedStorage) {
    this.slots = new PanelSlots(storage.of(this));
    this.panels = this.slots.load();
    storage.tabs.push(this);
  }

  do(change: (panels: Panels) => PanelsChange): void {
    const changed = change(this.panels);
    if (changed.ok) {
      this.panels = changed.panels;
      this.slots.save(this.panels);
    }
  }

  /** Receives the next writes of other tabs. */
  receiveWrites(count = Number.POSITIVE_INFINITY): void {
    for (const key of this.unreceived.splice(0, count)) {
      this.panels = this.slots.follow(key, this.panels);
    }
  }

  id(place: number): string {
    return this.panels[place]?.id ?? 'gone';
  }
}

const noStorage: TextStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

const names = ({ panels }: { readonly panels: Panels }) => panels.map(({ name }) => name);
let storage: SharedStorage;
beforeEach(() => {
  storage = new SharedStorage();
});

describe('panels in the storage', () => {
  it('are one, empty, when there never were any, and nothing is written for it', () => {
    expect(names(new Tab(storage))).toEqual(['Panel 1']);
    expect(storage.writes).toBe(0);
  });

  it('come back after a reload, in their order', () => {
    const tab = new Tab(storage);
    tab.do((panels) => addPanel(panels, 'b'));
    tab.do((panels) => addPanel(panels, 'c'));
    tab.do((panels) => movePanel(panels, 'c', 0));
    tab.do((panels) => addMessage(panels, 'b', { content: 'help', type: 'ascii' }, 'm'));
    expect(new Tab(storage).panels).toEqual(tab.panels);
    expect(names(tab)).toEqual(['Panel 3', 'Panel 1', 'Panel 2']);
  });

  it('are empty after the last one was removed', () => {
    const tab = new Tab(storage);
    tab.do((panels) => removePanel(panels, tab.id(0)));
    expect(new Tab(storage).panels).toEqual([]);
  });

  it('are written only where they changed', () => {
    const tab = new Tab(storage);
    tab.do((panels) => addPanel(panels, 'b'));
    const before = storage.writes;
    tab.do((panels) => renamePanel(panels, 'b', 'GNSS'));
    expect(storage.writes).toBe(before + 1);
  });

  it('are read as far as they can be', () => {
    const tab = new Tab(storage);
    tab.do((panels) => addPanel(panels, 'b'));
    for (const wrong of ['{', '[]', '{"version":9}', '{"version":1,"order":"b"}']) {
      storage.items.set('wirebench.panels', wrong);
      expect(names(new Tab(storage))).toEqual(['Panel 1', 'Panel 2']);
    }
    storage.items.set('wirebench.panel.1', '{"version":9}');
    expect(names(new Tab(storage))).toEqual(['Panel 2']);
  });

  it('are one, empty, when nothing of what was stored can be read', () => {
    new Tab(storage).do((panels) => addPanel(panels, 'b'));
    for (const key of storage.items.keys()) {
      storage.items.set(key, 'null');
    }
    expect(names(new Tab(storage))).toEqual(['Panel 1']);
  });

  it('have an id each, though the storage says otherwise', () => {
    const tab = new Tab(storage);
    tab.do((panels) => addPanel(panels, 'b'));
    storage.items.set('wirebench.panel.3', storage.items.get('wirebench.panel.2') ?? '');
    const { panels } = new Tab(storage);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(3);
  });

  it('are written with the next change if a write failed', () => {
    let full = true;
    const items = new Map<string, string>();
    const slots = new PanelSlots({
      getItem: (key) => items.get(key) ?? null,
      removeItem: (key) => void items.delete(key),
      setItem: (key, value) => {
        if (full) {
          throw new DOMException('full', 'QuotaExceededError');
        }
        items.set(key, value);
      },
    });
    const panels = slots.load();
    expect(() => slots.save(panels)).toThrow(DOMException);
    expect(items.size).toBe(0);
    full = false;
    slots.save(panels);
    expect(
      names({ panels: new PanelSlots({ ...noStorage, getItem: (key) => items.get(key) ?? null }).load() }),
    ).toEqual(['Panel 1']);
  });
});

describe('two tabs', () => {
  it('follow each other, and write nothing for it', () => {
    const [a, b] = [new Tab(storage), new Tab(storage)];
    a.do((panels) => renamePanel(panels, a.id(0), 'Gateway'));
    a.do((panels) => addPanel(panels, 'second'));
    a.do((panels) => movePanel(panels, 'second', 0));
    const before = storage.writes;
    b.receiveWrites();
    expect(b.panels).toEqual(a.panels);
    b.slots.save(b.panels);
    expect(storage.writes).toBe(before);
    b.do((panels) => removePanel(panels, 'second'));
    a.receiveWrites();
    expect(names(a)).toEqual(['Gateway']);
  });

  it('change two panels at once, and both changes stay', () => {
    const a = new Tab(storage);
    a.do((panels) => addPanel(panels, 'second'));
    const b = new Tab(storage);
    a.do((panels) => renamePanel(panels, a.id(0), 'Gateway'));
    b.do((panels) => renamePanel(panels, 'second', 'GNSS'));
    a.receiveWrites();
    b.receiveWrites();
    expect(names(a)).toEqual(['Gateway', 'GNSS']);
    expect(b.panels).toEqual(a.panels);
    expect(new Tab(storage).panels).toEqual(a.panels);
  });

  it('show the last write if both change the same panel', () => {
    const a = new Tab(storage);
    a.do((panels) => renamePanel(panels, a.id(0), 'Gateway'));
    const b = new Tab(storage);
    a.do((panels) => renamePanel(panels, a.id(0), 'from a'));
    b.do((panels) => renamePanel(panels, b.id(0), 'from b'));
    a.receiveWrites();
    b.receiveWrites();
    expect(names(a)).toEqual(['from b']);
    expect(names(b)).toEqual(['from b']);
  });

  it('keep their own target ports: each has its own ports', () => {
    const a = new Tab(storage);
    a.do((panels) => renamePanel(panels, a.id(0), 'Gateway'));
    const b = new Tab(storage);
    const aim = (panels: Panels, pinnedTargetPort: DevicePanel['pinnedTargetPort']): PanelsChange => ({
      ok: true,
      panels: panels.map((panel) => ({ ...panel, pinnedTargetPort })),
    });
    b.do((panels) => aim(panels, 2));
    a.receiveWrites();
    a.do((panels) => aim(panels, 1));
    a.do((panels) => renamePanel(panels, a.id(0), 'S3'));
    b.receiveWrites();
    expect(b.panels[0]).toMatchObject({ name: 'S3', pinnedTargetPort: 2 });
    expect(a.panels[0]).toMatchObject({ name: 'S3', pinnedTargetPort: 1 });
    const before = storage.writes;
    b.slots.save(b.panels);
    a.slots.save(a.panels);
    expect(storage.writes).toBe(before);
  });

  it('keep working after the storage was cleared', () => {
    const a = new Tab(storage);
    a.do((panels) => renamePanel(panels, a.id(0), 'Gateway'));
    storage.items.clear();
    a.panels = a.slots.follow(null, a.panels);
    a.do((panels) => addPanel(panels, 'second'));
    expect(names(new Tab(storage))).toEqual(['Gateway', 'Panel 1']);
  });

  it('end up with the same panels, whatever they do at once', () => {
    const act = fc.record({
      tab: fc.nat({ max: 1 }),
      kind: fc.constantFrom('add', 'remove', 'rename', 'move', 'receive' as const),
      place: fc.nat({ max: 4 }),
      to: fc.nat({ max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        storage = new SharedStorage();
        const tabs = [new Tab(storage), new Tab(storage)] as const;
        let ids = 0;
        for (const { tab, kind, place, to } of acts) {
          const own = tabs[tab as 0 | 1];
          const changes = {
            add: (panels: Panels) => addPanel(panels, `${ids++}`),
            remove: (panels: Panels) => removePanel(panels, own.id(place)),
            rename: (panels: Panels) => renamePanel(panels, own.id(place), `name ${to}`),
            move: (panels: Panels) => movePanel(panels, own.id(place), to),
          };
          if (kind === 'receive') {
            own.receiveWrites(to + 1);
          } else {
            own.do(changes[kind]);
          }
          expect(own.panels.length).toBeLessThanOrEqual(4);
          expect(new Set(own.panels.map(({ id }) => id)).size).toBe(own.panels.length);
        }
        tabs[0].receiveWrites();
        tabs[1].receiveWrites();
        const byId = (panels: Panels) => Object.fromEntries(panels.map((panel) => [panel.id, panel]));
        const stored = byId(new Tab(storage).panels);
        // Excludes the blank initial panel, which is stored only with its first change.
        const storedOnes = ({ panels }: Tab) => panels.filter((panel) => storage.wrote(panel.id));
        expect(byId(storedOnes(tabs[0]))).toEqual(storage.writes === 0 ? {} : stored);
        expect(byId(storedOnes(tabs[1]))).toEqual(storage.writes === 0 ? {} : stored);
      }),
      { numRuns: 300 },
    );
  });
});

it('a blank panel gives way to the first one that another tab writes', () => {
  const [a, b] = [new Tab(storage), new Tab(storage)];
  a.do((panels) => addMessage(panels, a.id(0), { content: 'help', type: 'ascii' }, 'm'));
  b.receiveWrites();
  expect(b.panels).toEqual(a.panels);
});
