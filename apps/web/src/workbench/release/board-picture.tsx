/** Picture of a release without one of its own: the board of its first build, drawn from its family. */
import { type DeviceModel, type FamilyId, type FamilyTraits, familyTraits, modelName } from '@wirebench/boards';
import type { ReactNode } from 'react';
import styles from './board-picture.module.css';

export interface BoardPictureProps {
  readonly device: { readonly deviceFamily: FamilyId; readonly deviceModel: DeviceModel };
}

export function BoardPicture({ device: { deviceFamily, deviceModel } }: BoardPictureProps) {
  const name = modelName(deviceModel);
  return (
    <svg
      className={styles['picture']}
      viewBox="0 0 640 469"
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-label={`Drawing of a board with ${name}`}
    >
      <path className={styles['grid']} d={gridPath} />
      {drawings[familyTraits[deviceFamily].drawing](words(name))}
    </svg>
  );
}

const gridPath = [
  ...Array.from({ length: 15 }, (_, index) => `M${12 + 44 * index} 0V469`),
  ...Array.from({ length: 11 }, (_, index) => `M0 ${14 + 44 * index}H640`),
].join('');

/** Splits a name so that it fits on a chip: `ESP32-S3` into `ESP32` and `S3`. */
const words = (name: string): readonly string[] => name.split(/[-\s]/).slice(0, 2);

/** Positions of pads along a line. */
const pads = (start: number, step: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => start + step * index);

const name = (lines: readonly string[], x: number, y: number): ReactNode =>
  lines.map((line, index) => (
    <text key={line} x={x} y={y + 6 + 20 * (index - (lines.length - 1) / 2)}>
      {line}
    </text>
  ));

/** A module with an antenna on a narrow board: USB at the lower edge, pads at both sides. */
const moduleBoard = (lines: readonly string[]): ReactNode => (
  <>
    <rect className={styles['board']} x="212" y="42" width="216" height="385" rx="10" />
    {pads(72, 22, 15).map((y) => (
      <g key={y}>
        <circle className={styles['pad']} cx="226" cy={y} r="4.5" />
        <circle className={styles['pad']} cx="414" cy={y} r="4.5" />
      </g>
    ))}
    <rect className={styles['part']} x="252" y="54" width="136" height="172" rx="3" />
    <path d="M266 92V70H284V84H302V70H320V84H338V70H356V84H374V70" />
    <rect className={styles['chip']} x="266" y="104" width="108" height="108" rx="3" />
    {name(lines, 320, 158)}
    <rect className={styles['part']} x="262" y="258" width="30" height="30" rx="3" />
    <rect className={styles['part']} x="348" y="258" width="30" height="30" rx="3" />
    <circle className={styles['part']} cx="277" cy="273" r="8" />
    <circle className={styles['part']} cx="363" cy="273" r="8" />
    <rect className={styles['light']} x="313" y="266" width="14" height="14" rx="2" />
    <rect className={styles['chip']} x="296" y="312" width="48" height="34" rx="2" />
    <rect className={styles['chip']} x="289" y="384" width="62" height="54" rx="6" />
    <path d="M302 384V346M320 384V346M338 384V346" />
  </>
);

/** A bare controller in a square package: USB at the left edge, two rows of pads. */
const chipBoard = (lines: readonly string[]): ReactNode => (
  <>
    <rect className={styles['board']} x="92" y="122" width="456" height="225" rx="10" />
    {pads(118, 22, 19).map((x) => (
      <g key={x}>
        <circle className={styles['pad']} cx={x} cy="138" r="4.5" />
        <circle className={styles['pad']} cx={x} cy="331" r="4.5" />
      </g>
    ))}
    <path
      d={pads(262, 11, 12)
        .map((x) => `M${x} 168V182M${x} 288V302`)
        .concat(pads(175, 11, 12).map((y) => `M254 ${y}H268M374 ${y}H388`))
        .join('')}
    />
    <rect className={styles['chip']} x="266" y="180" width="110" height="110" rx="4" />
    <circle className={styles['pad']} cx="278" cy="192" r="3" />
    {name(lines, 321, 235)}
    <rect className={styles['part']} x="412" y="208" width="42" height="54" rx="12" />
    <rect className={styles['light']} x="494" y="200" width="14" height="14" rx="2" />
    <rect className={styles['part']} x="486" y="240" width="30" height="30" rx="3" />
    <circle className={styles['part']} cx="501" cy="255" r="8" />
    <rect className={styles['chip']} x="78" y="204" width="54" height="62" rx="6" />
    <path d="M132 222H254M132 248H254" />
  </>
);

/** A board with sockets for shields: USB and power at the left edge, a controller in a long package. */
const shieldBoard = (lines: readonly string[]): ReactNode => (
  <>
    <path
      className={styles['board']}
      d="M120 62H500L520 82V150L534 164V330L520 344V407H120Q110 407 110 397V72Q110 62 120 62Z"
    />
    <rect className={styles['chip']} x="196" y="76" width="300" height="22" rx="2" />
    <rect className={styles['chip']} x="250" y="371" width="246" height="22" rx="2" />
    {pads(208, 18, 16).map((x) => (
      <rect key={x} className={styles['pad']} x={x - 4} y="83" width="8" height="8" />
    ))}
    {pads(262, 18, 13).map((x) => (
      <rect key={x} className={styles['pad']} x={x - 4} y="378" width="8" height="8" />
    ))}
    <rect className={styles['chip']} x="84" y="112" width="96" height="84" rx="3" />
    <rect className={styles['part']} x="92" y="316" width="88" height="64" rx="3" />
    <path
      d={pads(262, 18, 14)
        .map((x) => `M${x} 262V276M${x} 332V346`)
        .join('')}
    />
    <rect className={styles['chip']} x="250" y="276" width="258" height="56" rx="3" />
    {name([lines.join(' ')], 379, 304)}
    <rect className={styles['part']} x="214" y="166" width="42" height="42" rx="3" />
    <circle className={styles['part']} cx="235" cy="187" r="11" />
    <rect className={styles['light']} x="300" y="180" width="14" height="14" rx="2" />
    <rect className={styles['part']} x="330" y="180" width="14" height="14" rx="2" />
    <path d="M180 140H280V180M180 166H196V276H250" />
  </>
);

const drawings: Record<FamilyTraits['drawing'], (lines: readonly string[]) => ReactNode> = {
  module: moduleBoard,
  chip: chipBoard,
  shield: shieldBoard,
};
