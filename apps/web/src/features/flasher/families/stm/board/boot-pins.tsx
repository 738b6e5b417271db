/** Draws how to start the bootloader by hand: put the jumper of BOOT0 to 3.3 V, then press the reset button. */
export function BootPins() {
  return (
    <>
      <p className="silk">Starting the bootloader by hand</p>
      <svg
        viewBox="0 0 336 120"
        width="100%"
        role="img"
        aria-label="The jumper joins BOOT0 and 3.3 volts; then the reset button is pressed once"
        fontFamily="var(--font-mono)"
        fontSize="11.5"
        fill="var(--color-text-muted)"
      >
        {[
          { x: 46, name: '3V3' },
          { x: 96, name: 'BOOT0' },
          { x: 146, name: 'GND' },
        ].map(({ x, name }) => (
          <g key={name}>
            <text x={x} y="32" textAnchor="middle">
              {name}
            </text>
            <circle cx={x} cy="62" r="7" fill="none" stroke="var(--color-border-control)" strokeWidth="2" />
          </g>
        ))}
        <rect
          x="34"
          y="50"
          width="74"
          height="24"
          rx="4"
          fill="var(--color-accent-soft)"
          stroke="var(--color-accent-line)"
          strokeWidth="2"
        />
        <text x="71" y="66" textAnchor="middle" fill="var(--color-accent-text)" fontSize="10.5">
          jumper
        </text>
        <text x="71" y="100" textAnchor="middle" fontWeight="700" fill="var(--color-text)">
          1
        </text>
        <rect x="226" y="40" width="52" height="44" rx="4" fill="none" stroke="var(--color-border-control)" />
        <circle cx="252" cy="62" r="12" fill="var(--color-raised)" stroke="var(--color-port-4)" strokeWidth="2" />
        <text x="252" y="32" textAnchor="middle">
          RESET
        </text>
        <text x="252" y="100" textAnchor="middle" fontWeight="700" fill="var(--color-text)">
          2
        </text>
      </svg>
    </>
  );
}
