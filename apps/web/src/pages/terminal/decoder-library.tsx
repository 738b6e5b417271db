/** Connects the JKit library with the decoders that this browser keeps. Loaded with the tool of decoders, or with a link to one. */
import { decoderJkits, decoderPanel, linkedDecoder } from '../../features/jkits/decoders/decoder-jkits.ts';
import { LibraryButton, LibraryStart } from '../../features/jkits/library-button.tsx';
import { LoadedLine } from '../../features/jkits/loaded-line.tsx';
import type { DecoderLibraryProps } from '../../features/terminal/terminal-slots.ts';
import { showDecoder } from '../../features/terminal/tools/decoders/decoder-tool.ts';
import { toast } from '../../shared/ui/toast.ts';
import { decoderText } from '../../workbench/decoders/decoder-text.ts';
import { keepDecoder } from '../../workbench/decoders/kept-decoders.ts';

/** A decoder that is shown, and that no port gets. */
export const linkedDecoders = linkedDecoder(showDecoder);

/** The library of a kept decoder; without one, a button that starts a decoder from the library. */
export function DecoderLibrary({ decoder }: DecoderLibraryProps) {
  if (decoder === null) {
    return <LibraryStart panelId={startDecoder} />;
  }
  const panel = decoderPanel(decoder);
  return (
    <>
      <LibraryButton panel={panel} jkits={decoderJkits} />
      <LoadedLine panel={panel} jkits={decoderJkits} />
    </>
  );
}

/** Keeps a decoder for the library to load into. */
function startDecoder(): string {
  const result = keepDecoder(decoderText({ name: 'mine', title: 'New decoder', framing: { kind: 'cobs' } }));
  if (!result.ok) {
    toast(result.reason, { level: 'error' });
    return '';
  }
  showDecoder(result.id);
  return result.id;
}
