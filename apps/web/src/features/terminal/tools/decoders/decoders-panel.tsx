/** The decoders that this browser keeps: made, opened, edited, given to ports. */

import { jkitLimits } from '@wirebench/contract/constants';
import { allDecoders } from '@wirebench/contract/decoder-library';
import { portNumbers } from '@wirebench/serial';
import { Binary, FileDown, FileUp, Plus, Trash2 } from 'lucide-react';
import { use, useDeferredValue, useRef, useState } from 'react';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { Field } from '../../../../shared/ui/field.tsx';
import { Notice } from '../../../../shared/ui/notice.tsx';
import { offerUndo } from '../../../../shared/ui/offer-undo.ts';
import { Select } from '../../../../shared/ui/select.tsx';
import { TextArea } from '../../../../shared/ui/text-input.tsx';
import type { OwnDecoderId } from '../../../../workbench/decoders/decoder-id.ts';
import { DecoderPreview } from '../../../../workbench/decoders/decoder-preview.tsx';
import { decoderText } from '../../../../workbench/decoders/decoder-text.ts';
import {
  changeKept,
  type KeepResult,
  type KeptDecoder,
  keepDecoder,
  removeKept,
  titleOf,
  useKeptDecoders,
} from '../../../../workbench/decoders/kept-decoders.ts';
import { type DecoderState, useDecoderStates } from '../../../../workbench/decoders/own-decoders.ts';
import { changeDecoder, portName, useTerminalSettings } from '../../settings/settings-store.ts';
import { useTerminalSession } from '../../terminal-session.ts';
import { TerminalSlotsContext } from '../../terminal-slots.ts';
import { showTool, toolNames } from '../open-tool.ts';
import { DecoderFileList } from './decoder-file-list.tsx';
import { showDecoder, useShownDecoder } from './decoder-tool.ts';
import styles from './decoders-panel.module.css';
import { RegisterTable } from './register-table.tsx';

export function DecodersPanel() {
  const kept = useKeptDecoders();
  const chosen = useShownDecoder();
  const { decoderLibrary: Library } = use(TerminalSlotsContext);
  const [refusal, setRefusal] = useState<string | null>(null);
  const shown = kept.find(({ id }) => id === chosen) ?? kept.at(-1) ?? null;
  const take = (result: KeepResult) => {
    setRefusal(result.ok ? null : result.reason);
    if (result.ok) {
      showDecoder(result.id);
    }
  };
  return (
    <div className={styles['panel']}>
      {shown === null ? (
        <p>
          A decoder says how bytes become frames with named values. Start from one that comes with Wirebench, or open
          one from a file. Decoders are kept in this browser.
        </p>
      ) : (
        <Field label="Decoder" layout="left">
          {(ids) => (
            <Select
              {...ids}
              value={shown.id}
              onChange={(event) => {
                const next = kept.find(({ id }) => id === event.currentTarget.value);
                if (next !== undefined) {
                  showDecoder(next.id);
                }
              }}
            >
              {kept.map(({ id, text }) => (
                <option key={id} value={id}>
                  {titleOf(text)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <div className="buttons tight">
        <StartFrom onStart={(text) => take(keepDecoder(text))} />
        <OpenFile onText={(text) => take(keepDecoder(text))} onRefusal={setRefusal} />
        {Library === null ? null : <Library decoder={null} />}
      </div>
      <NameBytes />
      <div role="alert">{refusal === null ? null : <Notice level="error" title={refusal} />}</div>
      {shown === null ? null : <Editor key={shown.id} decoder={shown} />}
    </div>
  );
}

/** Leads to the tool that builds a decoder from the bytes that the selected port has received. */
function NameBytes() {
  const port = useTerminalSession((session) => session.selectedPort);
  const name = useTerminalSettings((settings) => portName(settings, port));
  return (
    <div className="buttons tight">
      <Button size="sm" icon={<Binary />} onClick={() => showTool('name-bytes')}>
        {toolNames['name-bytes']}
      </Button>
      <span className="small">A protocol of your own: select bytes of {name} and say what they are.</span>
    </div>
  );
}

/** The smallest decoder with a message, for a start without a model. */
const emptyDecoder = {
  name: 'motor',
  title: 'My decoder',
  framing: { kind: 'length', start: ['A5'], length: { at: 1, type: 'u8', add: 3 } },
  checksum: { kind: 'sum8' },
  order: 'little',
  fields: [{ name: 'id', type: 'u8', at: 2 }],
  messages: [{ name: 'state', when: [{ field: 'id', is: 1 }], fields: [{ name: 'speed', type: 'i16', unit: 'rpm' }] }],
};

function StartFrom({ onStart }: { readonly onStart: (text: string) => void }) {
  return (
    <Select
      aria-label="Start a decoder from"
      className={styles['start']}
      value=""
      onChange={(event) => {
        const model = allDecoders.find(({ id }) => id === event.currentTarget.value);
        onStart(decoderText(model?.content ?? emptyDecoder));
      }}
    >
      <option value="" disabled>
        Start from…
      </option>
      <option value="empty">An example</option>
      {allDecoders.toReversed().map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

interface OpenFileProps {
  readonly onText: (text: string) => void;
  readonly onRefusal: (reason: string | null) => void;
}

function OpenFile({ onText, onRefusal }: OpenFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const open = async (file: File) => {
    const { readDecoderText } = await import('./read-decoder-file.ts');
    const read = await readDecoderText(file);
    if (read.ok) {
      onText(read.text);
    } else {
      onRefusal(read.reason);
    }
  };
  return (
    <>
      <Button size="sm" icon={<FileUp />} onClick={() => input.current?.click()}>
        Open a file…
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Decoder file"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file !== undefined) {
            void open(file);
          }
        }}
      />
    </>
  );
}

function Editor({ decoder }: { readonly decoder: KeptDecoder }) {
  const { id, text } = decoder;
  const { decoderLibrary: Library } = use(TerminalSlotsContext);
  const shown = useDeferredValue(text);
  const title = titleOf(text);
  return (
    <>
      <div className="buttons tight">
        <UseOnPort decoder={decoder} />
        <Button
          size="sm"
          icon={<FileDown />}
          onClick={() => saveFile(new Blob([text], { type: 'application/json' }), fileName(title))}
        >
          Save as a file
        </Button>
        <Button
          size="sm"
          variant="quiet"
          icon={<Trash2 />}
          onClick={() => offerUndo(`${title} removed from this browser`, removeKept(id))}
        >
          Remove
        </Button>
        {Library === null ? null : <Library decoder={decoder} />}
      </div>
      <DecoderPreview content={shown} />
      <RegisterTable decoder={decoder} />
      <DecoderFileList decoder={decoder} />
      <Field label="Content" hint="JSON. Every entry is explained in the documentation of decoders.">
        {(ids) => (
          <TextArea
            {...ids}
            className={styles['text']}
            spellCheck={false}
            autoComplete="off"
            maxLength={jkitLimits.contentSize}
            rows={18}
            value={text}
            onChange={(event) => changeKept(id, { text: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Gives the decoder to the selected port, or says what became of it on the ports that have it. */
function UseOnPort({ decoder: { id } }: { readonly decoder: KeptDecoder }) {
  const port = useTerminalSession((session) => session.selectedPort);
  const settings = useTerminalSettings((all) => all);
  const states = useDecoderStates();
  const having = portNumbers.filter((one) => settings.ports[one].decoder === id);
  if (having.includes(port)) {
    return (
      <div role="status" className="small">
        {having.map((one) => (
          <p key={one}>
            {portName(settings, one)} {applicationText(id, states[one])}
          </p>
        ))}
      </div>
    );
  }
  return (
    <Button size="sm" variant="primary" icon={<Plus />} onClick={() => changeDecoder(port, id)}>
      Use on {portName(settings, port)}
    </Button>
  );
}

/** Says what a port does with a decoder that was chosen for it. */
function applicationText(id: OwnDecoderId, state: DecoderState | null): string {
  switch (state?.kind) {
    case 'applied':
      return state.id === id ? `shows frames of ${state.title}` : 'does not show it yet';
    case 'missing':
      return `shows lines until it has the file ${state.files[0]?.name}`;
    case 'refused':
      return `cannot use it: ${state.reason}`;
    case 'gone':
    case undefined:
      return 'does not show it yet';
  }
}

/** Returns `motor-controller.decoder.json`. */
function fileName(title: string): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return `${name === '' ? 'decoder' : name}.decoder.json`;
}
