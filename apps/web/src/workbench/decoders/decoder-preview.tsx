/** Preview of a decoder: its faults, or how it cuts frames and names their fields. Loaded on demand. */
import { checkDecoder, type DecoderContent, type DecoderFieldOrGroup } from '@wirebench/contract/decoders';
import { counted } from '../../shared/format/numbers.ts';
import { ContentFacts, ContentFaults } from '../../shared/ui/content-preview.tsx';
import styles from './decoder-preview.module.css';

export function DecoderPreview({ content }: { readonly content: string }) {
  const { content: decoder, faults } = checkDecoder(content);
  if (decoder === null) {
    return <ContentFaults title="This decoder is not complete yet." faults={faults} />;
  }
  return (
    <div className={styles['preview']}>
      <Facts decoder={decoder} />
      <Messages decoder={decoder} />
    </div>
  );
}

function Facts({ decoder }: { readonly decoder: DecoderContent }) {
  const { name, source, steps, registers, files, description } = decoder;
  const checksums = checksumsOf(decoder);
  const facts = [
    ['In Find', name],
    ['Frames', framingText(decoder.framing)],
    ['Checksum', checksums.length > 0 ? checksums.join(', ') : steps.length > 0 ? 'of the protocol' : 'none'],
    ...(steps.length === 0 ? [] : [['Code', `step ${steps.join(', ')}`] as const]),
    ...(registers.length === 0 ? [] : [['Registers', counted(registers.length, 'named register')] as const]),
    ...(files.length === 0 ? [] : [['Files', files.map((file) => file.name).join(', ')] as const]),
    ...(source === undefined ? [] : [['Source', source] as const]),
    ...(description === undefined ? [] : [['About', description] as const]),
  ] as const;
  return <ContentFacts facts={facts} />;
}

/** Returns the names of the checksums of all shapes, each once. */
function checksumsOf(decoder: DecoderContent): string[] {
  const shapes = decoder.framing.kind === 'any' ? decoder.framing.of : [];
  const all = [decoder, ...shapes].flatMap(({ checksum, checksums = [] }) => checksum ?? checksums);
  return [...new Set(all.map(({ kind }) => kind))];
}

/** Returns how frames are cut, in words. */
function framingText(framing: DecoderContent['framing']): string {
  const begins = (start: readonly string[] | string | undefined) =>
    start === undefined ? '' : `begin with ${typeof start === 'string' ? start : start.join(' or ')}, `;
  switch (framing.kind) {
    case 'length': {
      const { length } = framing;
      const size =
        typeof length === 'number' ? counted(length, 'byte') : `a length at byte ${length.at} (${length.type})`;
      return `${begins(framing.start)}have ${size}`;
    }
    case 'until':
      return `${begins(framing.start)}end with ${framing.end.join(' or ')}`;
    case 'lines':
      return `${begins(framing.start)}are lines of text`;
    case 'escaped': {
      const ends = framing.end === undefined ? 'have a length' : `end with ${framing.end.join(' or ')}`;
      return `${begins(framing.start)}${ends}, are escaped by ${framing.escape}`;
    }
    case 'any':
      return [...new Set(framing.of.map(framingText))].join('; or ');
    case 'cobs':
    case 'slip':
      return `are escaped by ${framing.kind.toUpperCase()}`;
    case 'gap':
      return `end after ${framing.ms} ms of silence`;
    case 'step':
      return 'are measured by code';
  }
}

interface ShownMessage {
  readonly name: string;
  readonly fields: readonly DecoderFieldOrGroup[];
}

function Messages({ decoder: { title, fields, messages } }: { readonly decoder: DecoderContent }) {
  const shown: readonly ShownMessage[] = [
    ...(fields.length === 0 ? [] : [{ name: 'Every frame', fields }]),
    ...messages,
  ];
  if (shown.length === 0) {
    return null;
  }
  return (
    <section
      className={`ring-inside ${styles['scroll']}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it.
      tabIndex={0}
      aria-label={`Messages of ${title}`}
    >
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col">Fields</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((message) => (
            <tr key={message.name}>
              <th scope="row">{message.name}</th>
              <td>{message.fields.map(fieldText).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Returns `speed i16 (rpm)`, or `svs (12 fields)` for a group. */
function fieldText({ name, type, unit, fields }: DecoderFieldOrGroup): string {
  const parts = [
    name,
    ...(type === undefined ? [] : [type]),
    ...(unit === undefined || unit === '' ? [] : [`(${unit})`]),
  ];
  return fields === undefined ? parts.join(' ') : `${name} (${counted(fields.length, 'field')})`;
}
