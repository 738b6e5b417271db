/** Preview of a chip's description: register table, and readings calculated from bytes that the user types. */
import { type ChipContent, checkChip } from '@wirebench/contract/chips';
import {
  type ChipJob,
  type ChipTransfer,
  chipFailureText,
  describedChip,
  type ReadingResult,
  readingText,
} from '@wirebench/lab/chip-jkit';
import { useState } from 'react';
import { hexDigits, hexNumber } from '../../../shared/format/hex.ts';
import { ContentFacts, ContentFaults } from '../../../shared/ui/content-preview.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import styles from './chips.module.css';

export function ChipPreview({ content }: { readonly content: string }) {
  const { content: chip, faults } = checkChip(content);
  if (chip === null) {
    return <ContentFaults title="This description is not complete yet." faults={faults} />;
  }
  return (
    <div className={styles['preview']}>
      <Facts chip={chip} />
      <Registers chip={chip} />
      {chip.readings.length === 0 ? null : <Readings chip={chip} />}
    </div>
  );
}

function Facts({ chip }: { readonly chip: ChipContent }) {
  const { name, manufacturer, source, category, bus, addresses, identification, init } = chip;
  const facts = [
    ['Chip', manufacturer === undefined ? name : `${name} (${manufacturer})`],
    ['Category', category],
    ['Bus', bus === 'spi' ? 'SPI' : `I2C at ${addresses.map((address) => hexNumber(address)).join(', ')}`],
    [
      'Recognised by',
      identification
        .map(
          ({ register, mask, value, others }) =>
            `${register}${mask === undefined ? '' : ` & ${hexNumber(mask)}`} = ${[value, ...others].map((one) => hexNumber(one)).join(' or ')}`,
        )
        .join(', ') || 'nothing: its address alone',
    ],
    ['Set-up', init.length === 0 ? 'none' : `${init.length} ${init.length === 1 ? 'write' : 'writes'}`],
    ['Source', source ?? 'not named'],
  ] as const;
  return <ContentFacts facts={facts} />;
}

function Registers({ chip }: { readonly chip: ChipContent }) {
  return (
    <section
      className={`ring-inside ${styles['scroll']}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it.
      tabIndex={0}
      aria-label={`Registers of ${chip.name}`}
    >
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Register</th>
            <th scope="col">Bits</th>
            <th scope="col">Access</th>
            <th scope="col">Reset</th>
            <th scope="col">What it is</th>
          </tr>
        </thead>
        <tbody>
          {chip.registers.map(({ name, address, offset, width, access, reset, description, fields }) => (
            <tr key={name}>
              <td>
                <code>{`${hexNumber(address)}${offset === 0 ? '' : ` + ${offset}`}`}</code>
              </td>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{width}</td>
              <td>{access}</td>
              <td>{reset === undefined ? '' : <code>{hexNumber(reset, width / 4)}</code>}</td>
              <td>
                {description}
                {fields.length === 0 ? null : (
                  <ul className={styles['fields']}>
                    {fields.map((field) => (
                      <li key={field.name}>
                        <code>{`${field.high === field.low ? field.high : `${field.high}:${field.low}`} ${field.name}`}</code>{' '}
                        {field.description}
                        {field.values === undefined ? null : `: ${namesOf(field.values)}`}
                      </li>
                    ))}
                  </ul>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Formats named values as `0 off, 1 on`. */
function namesOf(values: readonly { readonly value: number; readonly name: string }[]): string {
  return values.map(({ value, name }) => `${value} ${name}`).join(', ');
}

/** Typed hex digits of each transfer's answer, by transfer. */
type Typed = Readonly<Record<string, string>>;

function Readings({ chip }: { readonly chip: ChipContent }) {
  const [typed, setTyped] = useState<Typed>({});
  const described = describedChip(chip, chip.addresses[0] ?? null);
  const calibration = resultOf(described.calibrate, typed);
  const cycle = described.cycle(calibration);
  const asked = [...described.calibrate.transfers, ...cycle.transfers].filter(({ read }) => read > 0);
  return (
    <>
      <fieldset className={styles['answers']}>
        <legend className="silk">If the chip answered</legend>
        {asked.map((transfer, index) => (
          <Answer
            // biome-ignore lint/suspicious/noArrayIndexKey: transfers have no other id.
            key={index}
            transfer={transfer}
            typed={typed}
            onType={(text) => setTyped((before) => ({ ...before, [keyOf(transfer)]: text }))}
          />
        ))}
      </fieldset>
      <dl className={styles['readings']} aria-label={`Readings of ${chip.name}`}>
        {resultOf(cycle, typed).map((result) => (
          <div key={result.reading.name}>
            <dt>{result.reading.name}</dt>
            <dd>{resultText(result)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface AnswerProps {
  readonly transfer: ChipTransfer;
  readonly typed: Typed;
  readonly onType: (text: string) => void;
}

function Answer({ transfer, typed, onType }: AnswerProps) {
  const { write, read } = transfer;
  const text = typed[keyOf(transfer)] ?? '';
  const from = write.length === 0 ? 'Bytes' : `Bytes from 0x${hexPairs(write)}`;
  return (
    <Field
      label={`${from} (${read})`}
      error={/^\s*([\dA-Fa-f]{2}\s*)*$/.test(text) ? null : 'Enter pairs of hex digits, such as 5D 98.'}
    >
      {(ids) => (
        <TextInput
          {...ids}
          mono
          autoComplete="off"
          spellCheck={false}
          maxLength={read * 3}
          placeholder={'00 '.repeat(Math.min(read, 8)).trim()}
          value={text}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

const keyOf = ({ write, read }: ChipTransfer) => `${hexPairs(write)}:${read}`;

/** Calculates a job's result from the typed bytes. Missing bytes are 0. */
function resultOf<Result>({ transfers, value }: ChipJob<Result>, typed: Typed): Result {
  return value(
    transfers.map((transfer) => {
      const answer = new Uint8Array(transfer.read);
      const pairs = (typed[keyOf(transfer)] ?? '').match(/[\dA-Fa-f]{2}/g) ?? [];
      answer.set(pairs.slice(0, transfer.read).map((pair) => Number.parseInt(pair, 16)));
      return answer;
    }),
  );
}

function resultText(result: ReadingResult): string {
  if ('failure' in result) {
    return chipFailureText[result.failure];
  }
  const text = readingText(result.value, result.reading);
  return result.isOutside ? `${text}, beyond what the chip can measure` : text;
}

const hexPairs = (bytes: Uint8Array): string => Array.from(bytes, (byte) => hexDigits(byte)).join('');
