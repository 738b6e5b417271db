/** Opens a decoder from a dropped file. Loaded with the first one. */
import { toast } from '../../../../shared/ui/toast.ts';
import { keepDecoder } from '../../../../workbench/decoders/kept-decoders.ts';
import { showDecoder } from './decoder-tool.ts';
import { readDecoderText } from './read-decoder-file.ts';

export async function openDecoderFile(file: File): Promise<void> {
  const read = await readDecoderText(file);
  const kept = read.ok ? keepDecoder(read.text) : read;
  if (kept.ok) {
    showDecoder(kept.id);
  } else {
    toast(kept.reason, { level: 'error' });
  }
}
