/** The decoder that the tool shows, and the register to which it leads. Kept until the page is closed. */
import { pageStore } from '../../../../shared/page-store.ts';
import type { OwnDecoderId } from '../../../../workbench/decoders/decoder-id.ts';
import { showTool } from '../open-tool.ts';

interface ShownDecoder {
  readonly id: OwnDecoderId | null;
  /** Index of the register whose name gets the focus; null: none. */
  readonly register: number | null;
}

const shown = pageStore<ShownDecoder>({ id: null, register: null });

export const useShownDecoder = (): OwnDecoderId | null => shown.use(({ id }) => id);

/** Returns the index of the register of a decoder whose name should get the focus; null: none. */
export const useWantedRegister = (decoder: OwnDecoderId): number | null =>
  shown.use(({ id, register }) => (id === decoder ? register : null));

/** The name of the wanted register has the focus. */
export function endWantedRegister(): void {
  shown.setState({ register: null });
}

/**
 * Shows a decoder in the tool, and opens the tool. No port gets it by that.
 *
 * @param register Index of the register whose name gets the focus. Default: none.
 */
export function showDecoder(id: OwnDecoderId, register: number | null = null): void {
  shown.setState({ id, register });
  showTool('decoders');
}
