/** Draws the timing of the buttons that bring a board into its bootloader. */

/** `double-tap`: press reset twice. `hold`: hold a button while the board is reset or plugged in. */
export type EntryWay = 'double-tap' | 'hold';

interface Trace {
  readonly name: string;
  /** SVG path of the line: y is 22 for high and 52 for low. */
  readonly path: string;
  readonly color: string;
}

const drawings = {
  'double-tap': {
    label: 'RESET is pressed twice within half a second',
    traces: [
      { name: 'RESET', path: 'M62 22H110V52H140V22H190V52H220V22H336', color: 'var(--color-port-1)' },
      { name: 'PORT', path: 'M62 30H140M220 30H250M290 22V52M290 30H336', color: 'var(--color-port-4)' },
    ],
    marks: [
      { x: 125, text: '1' },
      { x: 205, text: '2' },
    ],
    shaded: { x: 110, width: 110, text: '½ s' },
  },
  hold: {
    label: 'The button is held down while RESET is pressed or the board is plugged in, and released a second later',
    traces: [
      { name: 'BUTTON', path: 'M62 22H100V52H286V22H336', color: 'var(--color-port-1)' },
      { name: 'RESET', path: 'M62 22H150V52H190V22H336', color: 'var(--color-port-4)' },
    ],
    marks: [
      { x: 100, text: '1' },
      { x: 170, text: '2' },
      { x: 286, text: '3' },
    ],
    shaded: { x: 190, width: 96, text: '1 s' },
  },
} satisfies Record<
  EntryWay,
  {
    readonly label: string;
    readonly traces: readonly [Trace, Trace];
    readonly marks: readonly { readonly x: number; readonly text: string }[];
    readonly shaded: { readonly x: number; readonly width: number; readonly text: string };
  }
>;

export function EntryDrawing({ way }: { readonly way: EntryWay }) {
  const { label, traces, marks, shaded } = drawings[way];
  const shown = way === 'double-tap' ? traces.slice(0, 1) : traces;
  const height = 40 + shown.length * 52;
  return (
    <svg
      viewBox={`0 0 336 ${height}`}
      width="100%"
      role="img"
      aria-label={label}
      fontFamily="var(--font-mono)"
      fontSize="11.5"
      fill="var(--color-text-muted)"
    >
      <rect x={shaded.x} y="16" width={shaded.width} height={height - 36} fill="var(--color-accent-soft)" />
      {shown.map(({ name, path, color }, index) => (
        <g key={name} transform={`translate(0 ${index * 52})`}>
          <text x="0" y="41">
            {name}
          </text>
          <path d={path} fill="none" stroke={color} strokeWidth="2" />
        </g>
      ))}
      <g fontWeight="700" fill="var(--color-text)" textAnchor="middle">
        {marks.map(({ x, text }) => (
          <text key={text} x={x} y="13">
            {text}
          </text>
        ))}
      </g>
      <text x={shaded.x + shaded.width / 2} y={height - 6} textAnchor="middle" fill="var(--color-accent-text)">
        {shaded.text}
      </text>
    </svg>
  );
}
