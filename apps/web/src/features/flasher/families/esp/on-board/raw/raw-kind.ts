/** Contents without a known format, as bytes. */
import { subtypeName } from '@wirebench/flasher/esp';
import { sizeText } from '../../../../../../shared/format/bytes.ts';
import type { PartitionKind } from '../partition-view.ts';

export const rawKind: PartitionKind = {
  shows: () => true,
  describe: (partition, contents) => {
    if (contents === null) {
      return null;
    }
    const used = contents.reduce((sum, byte) => sum + (byte === 0xff ? 0 : 1), 0);
    const what = subtypeName(partition) === 'phy' ? 'Radio calibration, ' : '';
    return used === 0 ? 'All FF' : `${what}${sizeText(used)} not FF`;
  },
  summary: () => null,
  load: async () => (await import('./raw-view.tsx')).RawView,
};
