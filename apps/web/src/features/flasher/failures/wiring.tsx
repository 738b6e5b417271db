import { FailureCard } from '../../../workbench/failure-card.tsx';
import { BoardIsLeft, UsualActions } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

export interface WiringProps extends FailureProps {
  /** True: the board sends, but receives nothing. */
  readonly deaf?: boolean;
}

/** Draws the wires between a USB adapter and a bare module. */
function WiringDrawing() {
  const rows = [
    { from: 'TX', to: 'RX', y: 34, colour: 'var(--color-port-1)' },
    { from: 'RX', to: 'TX', y: 62, colour: 'var(--color-port-4)' },
    { from: 'GND', to: 'GND', y: 90, colour: 'var(--color-text-muted)' },
    { from: '3V3', to: '3V3', y: 118, colour: 'var(--color-accent-line)' },
  ];
  return (
    <>
      <p className="silk">How it should be wired</p>
      <svg
        viewBox="0 0 336 140"
        width="100%"
        role="img"
        aria-label="TX of the adapter to RX of the board, RX to TX, ground to ground, 3.3 volts to 3.3 volts"
        fontFamily="var(--font-mono)"
        fontSize="11.5"
        fill="var(--color-text-muted)"
      >
        <rect x="1" y="14" width="96" height="120" rx="2" fill="none" stroke="var(--color-border-control)" />
        <rect x="239" y="14" width="96" height="120" rx="2" fill="none" stroke="var(--color-border-control)" />
        <text x="10" y="10" fontSize="10" fill="var(--color-text-subtle)">
          USB adapter
        </text>
        <text x="248" y="10" fontSize="10" fill="var(--color-text-subtle)">
          board
        </text>
        {rows.map(({ from, to, y, colour }) => (
          <g key={from}>
            <text x="86" y={y + 4} textAnchor="end">
              {from}
            </text>
            <text x="250" y={y + 4}>
              {to}
            </text>
            <path d={`M97 ${y}H239`} stroke={colour} strokeWidth="2" />
          </g>
        ))}
      </svg>
    </>
  );
}

/** Shown if bytes are altered on the way: by a wire, the ground, or another part on the same pins. */
export function Wiring({ deaf = false, ...props }: WiringProps) {
  return (
    <FailureCard
      topic={props.topic}
      title={deaf ? 'The board does not receive what is sent' : 'The data from the board could not be read'}
      badge="Wiring"
      steps={[
        {
          title: deaf
            ? 'Check the wire from TX of the adapter to RX of the board'
            : 'Check the ground wire between adapter and board',
          text: 'TX of one side goes to RX of the other. Connect both grounds.',
        },
        {
          title: 'Disconnect anything else from TX and RX',
          text: 'A sensor or a modem on the same pins can hold them high or low.',
        },
        { title: 'Use a shorter cable, or a lower baud rate' },
      ]}
      drawing={<WiringDrawing />}
      actions={<UsualActions {...props} />}
    >
      <p>
        {deaf
          ? 'The chip is in its bootloader and says so, but nothing that is sent reaches it.'
          : 'The board sends bytes, but they make no sense at any baud rate.'}
      </p>
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}
