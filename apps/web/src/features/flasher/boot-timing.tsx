/** Draws the timing of BOOT (GPIO0) and EN (reset) that starts an Espressif bootloader. */
export function BootTiming() {
  return (
    <>
      <p className="silk">What the chip should see</p>
      <svg
        viewBox="0 0 336 148"
        width="100%"
        role="img"
        aria-label="BOOT goes low, EN is pulsed low meanwhile, and BOOT is released half a second later"
        fontFamily="var(--font-mono)"
        fontSize="11.5"
        fill="var(--color-text-muted)"
      >
        {[64, 118, 172, 226, 280, 334].map((x) => (
          <path key={x} d={`M${x} 8V118`} stroke="var(--color-grid-strong)" />
        ))}
        <rect x="172" y="8" width="54" height="110" fill="var(--color-accent-soft)" />
        <text x="0" y="33">
          BOOT
        </text>
        <text x="0" y="50" fontSize="10" fill="var(--color-text-subtle)">
          GPIO0
        </text>
        <path d="M46 22H91V52H280V22H336" fill="none" stroke="var(--color-port-1)" strokeWidth="2" />
        <text x="0" y="87">
          EN
        </text>
        <text x="0" y="104" fontSize="10" fill="var(--color-text-subtle)">
          RST
        </text>
        <path d="M46 76H145V106H172V76H336" fill="none" stroke="var(--color-port-4)" strokeWidth="2" />
        <text x="199" y="131" textAnchor="middle" fontSize="11" fill="var(--color-accent-text)">
          chip reads GPIO0
        </text>
        <g fontWeight="700" fill="var(--color-text)" textAnchor="middle">
          <text x="91" y="14">
            1
          </text>
          <text x="158" y="70">
            2
          </text>
          <text x="280" y="14">
            3
          </text>
        </g>
        <text x="46" y="145" fontSize="10.5" fill="var(--color-text-subtle)">
          0
        </text>
        <text x="334" y="145" textAnchor="end" fontSize="10.5" fill="var(--color-text-subtle)">
          about 1 s
        </text>
      </svg>
    </>
  );
}
