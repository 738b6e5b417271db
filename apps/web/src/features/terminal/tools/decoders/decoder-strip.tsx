/** Strip of a port whose decoder of one's own cannot be applied, with the remedy. Loaded with the first such decoder. */
import type { PortNumber } from '@wirebench/serial';
import { useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { toast } from '../../../../shared/ui/toast.ts';
import { isOwnDecoder } from '../../../../workbench/decoders/decoder-id.ts';
import {
  addDecoderFile,
  type DecoderProblem,
  shortHash,
  useDecoderProblem,
} from '../../../../workbench/decoders/own-decoders.ts';
import { FailureStrip } from '../../failures/failure-strip.tsx';
import { changeDecoder, portName, useTerminalSettings } from '../../settings/settings-store.ts';
import { FileButton } from './decoder-file-list.tsx';
import { showDecoder } from './decoder-tool.ts';

export function DecoderStrip({ port }: { readonly port: PortNumber }) {
  const problem = useDecoderProblem(port);
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const [dismissed, setDismissed] = useState<DecoderProblem | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  if (problem === null || problem === dismissed || !isOwnDecoder(decoder)) {
    return null;
  }
  const dismiss = () => setDismissed(problem);
  const open = (
    <Button size="sm" onClick={() => showDecoder(decoder)}>
      Open the decoder
    </Button>
  );
  switch (problem.kind) {
    case 'gone':
      return (
        <FailureStrip
          port={port}
          level="warning"
          title={`The decoder of ${name} was removed from this browser.`}
          actions={
            <Button size="sm" onClick={() => changeDecoder(port, null)}>
              Show lines
            </Button>
          }
          onDismiss={dismiss}
        >
          <p>Choose another one under View, Frames.</p>
        </FailureStrip>
      );
    case 'missing': {
      const [wanted] = problem.files;
      if (wanted === undefined) {
        return null;
      }
      const more = problem.files.length - 1;
      return (
        <FailureStrip
          port={port}
          level="warning"
          title={`The decoder ${problem.title} of ${name} needs the file ${wanted.name}${more === 0 ? '' : ` and ${more} more`}.`}
          actions={
            <FileButton
              onChoose={async (file) => {
                const result = await addDecoderFile(decoder, file, wanted);
                setRefusal(result.ok ? null : result.reason);
                if (result.ok) {
                  toast(file.name, { detail: `${result.note}.` });
                }
              }}
            >
              Choose {wanted.name}…
            </FileButton>
          }
          onDismiss={dismiss}
        >
          <p>
            {refusal ??
              `Until then its bytes are shown as lines. The file’s SHA-256 begins with ${shortHash(wanted.sha256)}.`}
          </p>
        </FailureStrip>
      );
    }
    case 'refused':
      return (
        <FailureStrip
          port={port}
          level="warning"
          title={`The decoder ${problem.title} of ${name} cannot be used.`}
          actions={open}
          onDismiss={dismiss}
        >
          <p>{problem.reason}</p>
        </FailureStrip>
      );
  }
}
