/**
 * Panels in the browser's storage: a slot of its own for each, and their order beside them. So two tabs that change two panels
 * do not undo each other; where they change the same one, the last to write is right. Knows no component and no event.
 */

import { fieldsOf, parseJson } from '../../../../shared/json.ts';
import type { TextStorage } from '../../../../shared/storage/browser-storage.ts';
import { type DevicePanel, newPanel } from '../model/device-panel.ts';
import { maxPanels } from '../model/panel-failure.ts';
import { readPanel, writePanel } from '../model/panel-record.ts';
import type { Panels } from '../model/panels.ts';
import { newId } from '../model/stored-fields.ts';

const orderKey = 'wirebench.panels';
const slotKeys = Array.from({ length: maxPanels }, (_, index) => `wirebench.panel.${index + 1}`);

/** Grows when the order is written in another way. */
const version = 1;

export class PanelSlots {
  readonly #storage: TextStorage;
  /** Key of the slot of each panel, by the panel's id. */
  readonly #slots = new Map<string, string>();
  /** What is under each key, as this tab would write it: only what differs is written. */
  readonly #written = new Map<string, string>();

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  /** The stored panels in order; one empty panel when there never were any, or none of them can be read. */
  load(): Panels {
    const panels: DevicePanel[] = [];
    for (const key of slotKeys) {
      const panel = readPanel(this.#storage.getItem(key));
      if (panel !== null) {
        const own = this.#slots.has(panel.id) ? { ...panel, id: newId() } : panel;
        this.#take(key, own);
        panels.push(own);
      }
    }
    if (panels.length === 0 && this.#order() === null) {
      return [newPanel(newId(), 'Device 1')];
    }
    return this.#ordered(panels);
  }

  /** Writes what is new. Throws what the storage throws, a `QuotaExceededError` most of all; what was not written is tried again. */
  save(panels: Panels): void {
    for (const [id, key] of this.#slots) {
      if (!panels.some((panel) => panel.id === id)) {
        this.#slots.delete(id);
        this.#written.delete(key);
        this.#storage.removeItem(key);
      }
    }
    for (const panel of panels) {
      this.#write(this.#slotOf(panel), writePanel(panel));
    }
    this.#write(orderKey, JSON.stringify({ version, order: panels.map(({ id }) => id) }));
  }

  /**
   * Another tab has written under `key`, or cleared everything when it is null. Gives the panels with its change; the target
   * port of a panel stays this tab's own, since every tab has its own ports.
   */
  follow(key: string | null, panels: Panels): Panels {
    if (key === orderKey) {
      return this.#ordered(panels);
    }
    if (key === null) {
      this.#written.clear();
    }
    return key !== null && slotKeys.includes(key) ? this.#followSlot(key, panels) : panels;
  }

  #followSlot(key: string, panels: Panels): Panels {
    // What is there now: the event may be older than a write of this tab.
    const text = this.#storage.getItem(key);
    const before = panels.find(({ id }) => this.#slots.get(id) === key) ?? this.#unwritten(key, panels);
    if (text === null) {
      this.#written.delete(key);
      this.#slots.delete(before?.id ?? '');
      return before === undefined ? panels : panels.filter((panel) => panel !== before);
    }
    const read = readPanel(text);
    if (read === null || panels.some((panel) => panel.id === read.id && panel !== before)) {
      return panels;
    }
    const after = before?.id === read.id ? { ...read, pinnedTargetPort: before.pinnedTargetPort } : read;
    this.#slots.delete(before?.id ?? '');
    this.#take(key, after);
    return before === undefined ? [...panels, after] : panels.map((panel) => (panel === before ? after : panel));
  }

  /** The panel that was there before anything was stored gives way to the first that is. */
  #unwritten(key: string, panels: Panels): DevicePanel | undefined {
    return panels.find(
      ({ id, pinnedMessages }) => !this.#slots.has(id) && key === slotKeys[0] && pinnedMessages.length === 0,
    );
  }

  #take(key: string, panel: DevicePanel): void {
    this.#slots.set(panel.id, key);
    this.#written.set(key, writePanel(panel));
  }

  #slotOf({ id }: DevicePanel): string {
    const taken = new Set(this.#slots.values());
    const key = this.#slots.get(id) ?? slotKeys.find((candidate) => !taken.has(candidate));
    if (key === undefined) {
      throw new RangeError(`There are only ${maxPanels} places for panels`);
    }
    this.#slots.set(id, key);
    return key;
  }

  #write(key: string, text: string): void {
    if (this.#written.get(key) !== text) {
      this.#storage.setItem(key, text);
      this.#written.set(key, text);
    }
  }

  /** Ids of the panels as they were stored; null when nothing was, or nothing that can be read. */
  #order(): readonly unknown[] | null {
    const { version: written, order } = fieldsOf(parseJson(this.#storage.getItem(orderKey) ?? 'null'));
    return written === version && Array.isArray(order) ? order : null;
  }

  /** Panels that the stored order does not name come last. */
  #ordered(panels: Panels): Panels {
    const order = this.#order() ?? [];
    const place = ({ id }: DevicePanel) => (order.includes(id) ? order.indexOf(id) : order.length);
    const sorted = [...panels].sort((a, b) => place(a) - place(b));
    this.#written.set(orderKey, JSON.stringify({ version, order: sorted.map(({ id }) => id) }));
    return sorted;
  }
}
