/** The decoder that the tool shows. Kept until the page is closed. */
import { pageStore } from '../../../../shared/page-store.ts';
import type { OwnDecoderId } from '../../../../workbench/decoders/decoder-id.ts';
import { showTool } from '../open-tool.ts';

const shown = pageStore<{ readonly id: OwnDecoderId | null }>({ id: null });

export const useShownDecoder = (): OwnDecoderId | null => shown.use(({ id }) => id);

/** Shows a decoder in the tool, and opens the tool. No port gets it by that. */
export function showDecoder(id: OwnDecoderId): void {
  shown.setState({ id });
  showTool('decoders');
}
