/**
 * Elements that the page adds to every panel, such as the JKit library. They are in a context, because the components
 * between the page and a panel do not use them.
 */
import { type ComponentType, createContext, type ReactNode } from 'react';
import type { DevicePanel } from './model/device-panel.ts';

export interface PanelSlots {
  /** Shown among the buttons of the panel's head. */
  readonly button: (panel: DevicePanel) => ReactNode;
  /** Shown below the panel's head. */
  readonly line: (panel: DevicePanel) => ReactNode;
  /** Shown above all panels. */
  readonly notice: ReactNode;
  /** Button that fills a first panel. `panelId` makes the panel and returns its id. Null: the page has none. */
  readonly library: ComponentType<{ readonly panelId: () => string }> | null;
}

export const PanelSlotsContext = createContext<PanelSlots>({
  button: () => null,
  line: () => null,
  notice: null,
  library: null,
});
