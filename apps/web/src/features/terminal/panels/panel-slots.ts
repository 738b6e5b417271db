/**
 * What the page puts on every panel. The jkit library is another feature; a context carries it, because the parts between the page
 * and a panel have nothing to do with it.
 */
import { createContext, type ReactNode } from 'react';
import type { DevicePanel } from './model/device-panel.ts';

export interface PanelSlots {
  /** Among the buttons of its head. */
  readonly button: (panel: DevicePanel) => ReactNode;
  /** Below its head. */
  readonly line: (panel: DevicePanel) => ReactNode;
  /** Above all of them. */
  readonly notice: ReactNode;
}

export const PanelSlotsContext = createContext<PanelSlots>({ button: () => null, line: () => null, notice: null });
