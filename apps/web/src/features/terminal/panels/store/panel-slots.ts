/**
 * Stores each panel in its own slot of the browser's storage, and their order beside them. Two tabs that change
 * different panels do not overwrite each other. If both change the same panel, the last write wins.
 */

import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { newId } from '@wirebench/runs';
import type { TextStorage } from '../../../../shared/storage/browser-storage.ts';
import { type DevicePanel, newPanel } from '../model/device-panel.ts';
import { maxPanels } from '../model/panel-failure.ts';
import { readPanel, writePanel } from '../model/panel-record.ts';
import type { Panels } from '../model/panels.ts';

const orderKey = 'wirebench.panels';
const slotKeys = Array.from({ length: maxPanels }, (_, index) => `wirebench.panel.${index + 1}`);

/** Format version of the order. Increase it when the format changes. */
const version = 1;

export class PanelSlots {
  readonly #storage: TextStorage;
  /** Storage key of each panel, by panel id. */
  readonly #slots = new Map<string, string>();
  /** Last known text of each key, as this tab would write it. Only differences are written. */
  readonly #written = new Map<string, string>();

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  /** Returns the stored panels in order. If no order and no readable panel is stored, returns one empty panel. */
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
      return [newPanel(newId(), 'Panel 1')];
    }
    return this.#ordered(panels);
  }

  /**
   * Writes the changed panels. A failed write is repeated by the next call.
   *
   * @throws DOMException of the storage, such as `QuotaExceededError`.
   */
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
   * Applies a write of another tab. Each panel keeps its target port, because every tab has its own ports.
   *
   * @param key Key that the other tab wrote. Null: it cleared the storage.
   * @param panels Panels of this tab.
   * @returns The panels with the change.
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
    // Reads the storage instead of the event, which may be older than a write of this tab.
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

  /** Returns the blank initial panel if it was never stored. The first panel stored by another tab replaces it. */
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

  /** Returns the stored order of panel ids, or null if it is missing or invalid. */
  #order(): readonly unknown[] | null {
    const { version: written, order } = fieldsOf(parseJson(this.#storage.getItem(orderKey) ?? 'null'));
    return written === version && Array.isArray(order) ? order : null;
  }

  /** Sorts panels by the stored order. Panels missing in it come last. */
  #ordered(panels: Panels): Panels {
    const order = this.#order() ?? [];
    const place = ({ id }: DevicePanel) => (order.includes(id) ? order.indexOf(id) : order.length);
    const sorted = [...panels].sort((a, b) => place(a) - place(b));
    this.#written.set(orderKey, JSON.stringify({ version, order: sorted.map(({ id }) => id) }));
    return sorted;
  }
}
