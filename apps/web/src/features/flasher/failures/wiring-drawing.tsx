/** Draws the wires between a USB adapter and a bare module. */
export function WiringDrawing() {
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
