/**
 * Registers of a Modbus line. For bytes of any other protocol, builds a decoder by example: bytes become frames, selected bytes
 * become fields, the result is kept under a name.
 */

import { completeDecoder, libraryDecoders } from '@wirebench/contract/decoder-library';
import type { DecoderFraming } from '@wirebench/contract/decoders';
import { parseJson } from '@wirebench/contract/json';
import { readyDecoders } from '@wirebench/frames/ready-decoders';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { Field } from '../../../../shared/ui/field.tsx';
import { FieldError } from '../../../../shared/ui/field-error.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import { type DecoderId, isOwnDecoder } from '../../../../workbench/decoders/decoder-id.ts';
import { hasStep, keptDecoder, titleOf, useKeptDecoders } from '../../../../workbench/decoders/kept-decoders.ts';
import { useTerminalSettings } from '../../settings/settings-store.ts';
import { useTerminalSession } from '../../terminal-session.ts';
import type { ToolProps } from '../open-tool.ts';
import { RegistersPanel } from '../registers/registers-panel.tsx';
import { withTitle } from './decoder-draft.ts';
import { FieldsStep } from './fields-step.tsx';
import { FramingStep } from './framing-step.tsx';
import styles from './name-bytes-panel.module.css';
import {
  changeWork,
  type DecoderStart,
  type DecoderWork,
  discardWork,
  isSaved,
  saveWork,
  startWork,
  useAskedFrame,
  useWork,
} from './work-store.ts';

/** Decoder that a port has, to begin with a copy of it. */
interface Base {
  readonly title: string;
  /** True: its frames are those of Modbus, whose registers have a table. */
  readonly isModbus: boolean;
  load(): Promise<DecoderStart>;
}

function baseOf(decoder: DecoderId | null): Base | null {
  if (isOwnDecoder(decoder)) {
    const kept = keptDecoder(decoder);
    return kept === null
      ? null
      : {
          title: titleOf(kept.text),
          isModbus: hasStep(parseJson(kept.text), 'modbus'),
          load: async () => {
            // A kept text may be one that is still being edited.
            const { checkDecoder } = await import('@wirebench/contract/decoders');
            const { content, faults } = checkDecoder(kept.text);
            if (content === null) {
              throw new Error(`${faults[0] ?? 'It is no decoder'}.`);
            }
            return { draft: content, before: content, id: decoder, saved: content };
          },
        };
  }
  const ready = readyDecoders.find(({ name }) => name === decoder);
  return ready === undefined
    ? null
    : {
        title: ready.title,
        isModbus: ready.name === 'modbus',
        load: async () => {
          const content = completeDecoder(libraryDecoders[ready.name]);
          // A receiver of positions sends UBX and NMEA: two decoders cut its line.
          const before = ready.name === 'ubx' ? null : content;
          return { draft: { ...content, title: `${content.title}, own names` }, before, id: null, saved: null };
        },
      };
}

export function NameBytesPanel(_: ToolProps) {
  const port = useTerminalSession(({ selectedPort }) => selectedPort);
  return <PortDecoder key={port} port={port} />;
}

function PortDecoder({ port }: { readonly port: PortNumber }) {
  const work = useWork(port);
  const decoder = useTerminalSettings(({ ports }) => ports[port].decoder);
  const asked = useAskedFrame(port);
  const [isNew, setNew] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [loaded, setLoaded] = useState<DecoderStart | null>(null);
  const base = work === null ? baseOf(decoder) : null;
  const copy = useEffectEvent(async () => {
    try {
      const found = await base?.load();
      if (found === undefined) {
        return;
      }
      if (isModbus) {
        // Nothing changes until a register gets a name.
        setLoaded(found);
      } else {
        startWork(port, { ...found, step: 'fields' });
      }
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  });
  // A person who names bytes of an opened frame has chosen the copy already. The table of registers is shown at once.
  const isModbus = work === null ? base?.isModbus === true : work.draft.steps.includes('modbus');
  // Another tab, or the tool Decoders, may change a kept decoder.
  const text = useKeptDecoders().find(({ id }) => id === decoder)?.text;
  const isCopied = work === null && base !== null && (asked !== null || isModbus);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another decoder, or another text of it, is read again.
  useEffect(() => {
    if (isCopied) {
      void copy();
    }
  }, [isCopied, decoder, text]);
  const isOfSeveral = useTerminalSettings(
    ({ ports }) => portNumbers.filter((one) => ports[one].decoder !== null).length > 1,
  );
  if (isModbus && fault === null) {
    const start = work ?? loaded;
    return start === null ? null : <RegistersPanel port={port} work={work} start={start} />;
  }
  return (
    <div className={styles['panel']}>
      {isOfSeveral ? (
        <p className={styles['port']}>
          <PortFlag port={port} /> The selected port
        </p>
      ) : null}
      {work !== null ? (
        <Work port={port} work={work} />
      ) : base !== null && !isNew ? (
        <div className={styles['step']}>
          <p className="small">This port has {base.title}. Names that you give are those of a copy.</p>
          <div className="buttons tight">
            <Button onClick={() => void copy()}>Name bytes of {base.title}</Button>
            <Button variant="quiet" onClick={() => setNew(true)}>
              Begin with the bytes alone
            </Button>
          </div>
          <div role="alert">{fault === null ? null : <FieldError>{fault}</FieldError>}</div>
        </div>
      ) : (
        <FramingStep
          port={port}
          onCancel={isNew ? () => setNew(false) : null}
          onChoose={(draft) => startWork(port, { draft, before: null, id: null, saved: null, step: 'fields' })}
        />
      )}
    </div>
  );
}

function Work({ port, work }: { readonly port: PortNumber; readonly work: DecoderWork }) {
  const { draft, step } = work;
  if (step === 'frames') {
    return (
      <FramingStep
        port={port}
        onCancel={() => changeWork(port, { step: 'fields' })}
        onChoose={({ framing, checksum }) => {
          const { checksum: _, ...kept } = draft;
          changeWork(port, {
            draft: { ...kept, framing, ...(checksum !== undefined && { checksum }) },
            step: 'fields',
            example: null,
            selected: null,
          });
        }}
      />
    );
  }
  return (
    <>
      {draft.steps.length > 0 ? null : (
        <div className={styles['framing']}>
          <span>{framingText(draft.framing)}</span>
          <Button size="sm" variant="quiet" onClick={() => changeWork(port, { step: 'frames' })}>
            Change
          </Button>
        </div>
      )}
      <FieldsStep port={port} work={work} />
      <Saving port={port} work={work} />
    </>
  );
}

function framingText(framing: DecoderFraming): string {
  switch (framing.kind) {
    case 'cobs':
      return 'Frames: COBS';
    case 'slip':
      return 'Frames: SLIP';
    case 'lines':
      return 'Frames: lines of text';
    case 'until':
      return framing.start === undefined
        ? `Frames end with ${framing.end[0]}`
        : `Frames begin with ${framing.start[0]} and end with ${framing.end[0]}`;
    case 'length': {
      const start = framing.start === undefined ? '' : `, begin with ${framing.start[0]}`;
      return typeof framing.length === 'number'
        ? `Frames have ${framing.length} bytes${start}`
        : `Frames have their length at byte ${framing.length.at}${start}`;
    }
    case 'escaped':
      return `Frames have escapes of their own, ${framing.escape}`;
    case 'any':
      return `Frames of ${framing.of.length} shapes`;
    case 'gap':
      return `Frames end with a silence of ${framing.ms} ms`;
    case 'step':
      return 'Frames are cut by a part in code';
  }
}

function Saving({ port, work }: { readonly port: PortNumber; readonly work: DecoderWork }) {
  const { draft } = work;
  const [fault, setFault] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const hasAll = isSaved(work);
  const save = async () => {
    if (draft.title.trim() === '') {
      setFault('Give the decoder a name.');
      return;
    }
    setSaving(true);
    setFault(await saveWork(port, work));
    setSaving(false);
  };
  return (
    <form
      className={styles['saving']}
      aria-label="Save the decoder"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label="Name of the decoder"
        error={fault}
        hint={draft.title === '' ? undefined : `Find: ${draft.name}.field`}
      >
        {(ids) => (
          <TextInput
            {...ids}
            autoComplete="off"
            maxLength={48}
            value={draft.title}
            onChange={({ currentTarget: { value } }) => changeWork(port, { draft: withTitle(draft, value) })}
          />
        )}
      </Field>
      <div className="buttons tight">
        <Button type="submit" size="sm" busy={isSaving} disabled={hasAll}>
          {hasAll ? 'Saved' : 'Save'}
        </Button>
        <Button size="sm" variant="quiet" onClick={() => void discardWork(port)}>
          {hasAll ? 'Close it' : 'Discard'}
        </Button>
      </div>
    </form>
  );
}
