/** Offers for bytes that have no name yet: a value, the length, a counter, the checksum, registers. */
import type { DecoderContent } from '@wirebench/contract/decoders';
import type { ChecksumSearch } from '@wirebench/frames/guess';
import type { PortNumber } from '@wirebench/serial';
import { useState } from 'react';
import type { TriedFrame } from '../../../../protocol/bench/trial-part.ts';
import { counted } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { FieldError } from '../../../../shared/ui/field-error.tsx';
import { getBench } from '../../../../workbench/bench.ts';
import { type ByteRange, countingSteps, lengthAt, newField, withField } from './decoder-draft.ts';
import { agreementText } from './field-words.ts';
import styles from './name-bytes-panel.module.css';
import { trialOf } from './work-store.ts';

export interface SelectionRolesProps {
  readonly port: PortNumber;
  readonly draft: DecoderContent;
  readonly frame: TriedFrame;
  readonly frames: readonly TriedFrame[];
  readonly range: ByteRange;
  /** @param name Field whose form is shown; null: that of the selected bytes. */
  readonly onChange: (draft: DecoderContent, name: string | null) => void;
  readonly onValue: () => void;
}

/** Steps in code whose fields take no more by example. */
const closedSteps: ReadonlySet<string> = new Set(['at', 'nmea', 'slcan', 'mavlink']);

export function SelectionRoles(props: SelectionRolesProps) {
  const { port, draft, frame, frames, range, onChange, onValue } = props;
  const [role, setRole] = useState<'length' | 'counter' | 'checksum' | null>(null);
  const closed = draft.steps.find((step) => closedSteps.has(step));
  if (closed !== undefined) {
    return (
      <p className="small">
        The fields of {draft.title || draft.name} come from a part in code. Bytes get names in decoders without one:
        begin with the bytes alone.
      </p>
    );
  }
  const size = range.to - range.from;
  // Parts in code cut and check their frames themselves. A line has neither.
  const isPlain = draft.steps.length === 0 && draft.framing.kind !== 'lines';
  return (
    <div className={styles['roles']}>
      <div className="buttons tight">
        <span className="small">{size === 1 ? 'This byte is' : `These ${size} bytes are`}</span>
        <Button size="sm" onClick={onValue}>
          A value
        </Button>
        {size <= 4 && isPlain ? (
          <>
            <Button size="sm" pressed={role === 'counter'} onClick={() => setRole('counter')}>
              A counter
            </Button>
            <Button size="sm" pressed={role === 'length'} onClick={() => setRole('length')}>
              The length
            </Button>
          </>
        ) : null}
        {size <= 8 && isPlain ? (
          <Button size="sm" pressed={role === 'checksum'} onClick={() => setRole('checksum')}>
            The checksum
          </Button>
        ) : null}
      </div>
      {role === 'length' ? <LengthRole draft={draft} frames={frames} range={range} onChange={onChange} /> : null}
      {role === 'counter' ? (
        <CounterRole draft={draft} message={frame.message} frames={frames} range={range} onChange={onChange} />
      ) : null}
      {role === 'checksum' ? (
        <ChecksumRole
          key={`${range.from} ${range.to}`}
          port={port}
          draft={draft}
          length={frame.content.length}
          range={range}
          onChange={onChange}
        />
      ) : null}
    </div>
  );
}

type RoleProps = Pick<SelectionRolesProps, 'draft' | 'frames' | 'range' | 'onChange'>;

function LengthRole({ draft, frames, range, onChange }: RoleProps) {
  const reading = lengthAt(draft, range, frames);
  if (reading === null) {
    return (
      <p className="small">
        These bytes give no length that cuts: the end of a frame is marked in another way. Name them as a value.
      </p>
    );
  }
  const { framing, agreed, of, lengths } = reading;
  const add = framing.kind === 'length' && typeof framing.length === 'object' ? (framing.length.add ?? 0) : 0;
  const sum = add === 0 ? 'The number alone' : add > 0 ? `The number plus ${add}` : `The number minus ${-add}`;
  return (
    <>
      <p className="small">
        {sum} is the length of {agreed} of {counted(of, 'frame')}
        {lengths === 1
          ? ', which all have one length: frames of another would show more.'
          : `, of ${lengths} different lengths.`}
      </p>
      <div className="buttons tight">
        <Button
          size="sm"
          onClick={() => {
            const added = newField(draft, range, 'length');
            onChange(withField({ ...draft, framing }, '', added), added.name);
          }}
        >
          Cut frames by it
        </Button>
      </div>
    </>
  );
}

function CounterRole({ draft, message, frames, range, onChange }: RoleProps & { readonly message: string }) {
  const [best] = (['little', 'big'] as const)
    .map((order) => ({ order, ...countingSteps(range, order, frames) }))
    .sort((one, other) => other.counted - one.counted);
  const { order, counted: steps, of } = best ?? { order: 'little', counted: 0, of: 0 };
  return (
    <>
      <p className="small">
        {of === 0
          ? 'Two frames are needed to see it count.'
          : `It counts up by one from frame to frame in ${steps} of ${counted(of, 'step')}.`}
      </p>
      <div className="buttons tight">
        <Button
          size="sm"
          onClick={() => {
            const field = newField(draft, range, 'count');
            const ordered = range.to - range.from > 1 ? { ...field, order } : field;
            onChange({ ...withField(draft, message, ordered), sequence: { field: field.name, per: [] } }, field.name);
          }}
        >
          Count missing frames by it
        </Button>
      </div>
    </>
  );
}

interface ChecksumRoleProps extends Omit<RoleProps, 'frames'> {
  readonly port: PortNumber;
  readonly length: number;
}

function ChecksumRole({ port, draft, length, range, onChange }: ChecksumRoleProps) {
  const [search, setSearch] = useState<ChecksumSearch | 'running' | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const find = async () => {
    setSearch('running');
    try {
      setSearch(await getBench().call('searchChecksums', port, await trialOf(draft), { ...range, length }));
      setFault(null);
    } catch (error) {
      setSearch(null);
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  if (search === null || search === 'running') {
    return (
      <div className="buttons tight">
        <Button size="sm" busy={search === 'running'} onClick={() => void find()}>
          Try the known ones
        </Button>
        <span role="alert">{fault === null ? null : <FieldError>{fault}</FieldError>}</span>
      </div>
    );
  }
  const { findings, frames, isComplete } = search;
  return (
    <>
      <p className="small" role="status">
        {findings.length === 0
          ? `No known checksum agrees with enough of ${counted(frames, 'different frame')}.${frames < 4 ? ' More are needed to tell.' : ''}`
          : findings.length === 1
            ? 'One known checksum agrees:'
            : `${findings.length} ways agree:`}
        {isComplete ? '' : ' The frames are so long that not all were tried.'}
      </p>
      <ul className={styles['findings']}>
        {findings.map((finding) => (
          <li key={JSON.stringify(finding.checksum)}>
            <Button size="sm" onClick={() => onChange({ ...draft, checksum: finding.checksum }, null)}>
              Use
            </Button>{' '}
            {agreementText(finding)}
          </li>
        ))}
      </ul>
    </>
  );
}
